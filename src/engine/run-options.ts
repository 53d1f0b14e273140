import type { StopEarlyOptions } from '../analyses/early-stop/plan-early-stop.ts';
import type { Backend } from '../models/backend.ts';
import type { Judge } from '../models/judge.ts';
import type { ClaimSource } from '../rubrics/judge/claims.ts';
import type { RunResult } from '../runs/run-result.ts';
import type { Suite } from '../suites/suite.ts';
import type { AnyTask } from '../suites/task.ts';
import type { AskingAgain } from './ask-again.ts';
import type { SessionOptions } from './session.ts';
import type { Shard } from './shard.ts';

export const DEFAULT_BATCH_SIZE = 8;
export const DEFAULT_SEED = 42;

/** What is run, and how. */
export interface RunOptions extends SessionOptions {
  /** Records with labels, or open questions. */
  readonly suite: Suite<AnyTask>;
  /** The model that is asked. */
  readonly backend: Backend;
  /** Judges the answers to open questions; required for them, and unused for labels. Several judges are a jury: each judges every answer, and the majority counts. */
  readonly judge?: Judge | readonly Judge[] | undefined;
  /** How often each judge reads each answer. Default: 1. */
  readonly passes?: number | undefined;
  /** Whether the judge also fills the lists of the second protocol, for comparison with results of that protocol. Default: false. */
  readonly buckets?: boolean | undefined;
  /** A source that claims of the answers which match no item are checked against, in a second call of the (first) judge. Default: no claims are listed. */
  readonly claims?: ClaimSource | undefined;
  /** Seed of the order of records and of the order of items. Default: 42. */
  readonly seed?: number | undefined;
  /** Records in one call; open questions are asked one by one. Default: 8. */
  readonly batchSize?: number | undefined;
  /** How often every record is asked. Default: 1. */
  readonly repeats?: number | undefined;
  /** A system prompt of your own, in place of the instructions of the suite; part of the run's identity. Default: those of the suite. */
  readonly system?: string | undefined;
  /** The user's message of an open question, with `{{question}}` where the question goes; part of the run's identity. Default: as the suite says, or the question alone. */
  readonly template?: string | undefined;
  /** How the question is put. Default: the task's default arm. */
  readonly arm?: string | undefined;
  /** The first this many records of a seeded order that is blind to labels; the first questions of a suite of open questions. Default: all. */
  readonly limit?: number | undefined;
  /** With a limit, takes the same share of every value of this metadata key, or of `label`. Default: the first of the order. */
  readonly stratify?: string | undefined;
  /** The metadata key whose groups, such as the records of a patient, are asked together. Default: the suite's own. */
  readonly cluster?: string | undefined;
  /** Only this part of the run: every `of`-th planned call, beginning with the `index`-th. Merge the files of all parts with `mergeRuns`. Default: the whole run. */
  readonly shard?: Shard | undefined;
  /** The run file. Default: one under `.krisis/runs`, named by what is run. */
  readonly path?: string | undefined;
  /** Stop as soon as these gates are decided, pass or fail, looking after every record of a committed random order; only for labels. Default: all records are asked. */
  readonly stopEarly?: StopEarlyOptions | undefined;
  /** Record that conditions on this run accept a judge that is not calibrated; only for open questions. Default: false. */
  readonly allowUncalibratedJudge?: boolean | undefined;
  /** Start a new run instead of continuing the one in the file. Default: false. */
  readonly startNew?: boolean | undefined;
  /** Whether conditions will be checked on the run, besides those of `stopEarly`: then no reply comes from the cache unless `readCache` is true. Default: false. */
  readonly hasConditions?: boolean | undefined;
  /** Leave failed rows and failed judgements as they are. Default: false, a run that is continued asks them again, except rows where the same settings would bring the same. */
  readonly keepFailed?: boolean | undefined;
  /** Called before the first call when the run has failed rows or judgements, unless they are to be kept. */
  readonly onAskAgain?: ((again: AskingAgain) => void) | undefined;
  /** Called before the first call, with how many of the selected records are emergencies. */
  readonly onSelected?: ((selected: { readonly nMustAct: number }) => void) | undefined;
  /**
   * Called before the first call. `nUnfinished` calls of an earlier process have no outcome, and may be asked again. `finished` is set if nothing is left to ask: `at` is when, in ISO 8601, or null where the file does not say.
   */
  readonly onStart?:
    | ((
        path: string,
        continued: boolean,
        nUnfinished: number,
        finished: { readonly at: string | null } | null,
      ) => void)
    | undefined;
}

/** A result of a run file. */
export type FileRun = RunResult & { readonly path: string };

/** Whether a run takes known replies from the cache, those of its judges included. A new run, repeats and conditions are about what the model answers now, so these ask unless told otherwise. */
export function readsCache({
  readCache,
  startNew = false,
  repeats = 1,
  hasConditions = false,
  stopEarly,
}: Pick<RunOptions, 'readCache' | 'startNew' | 'repeats' | 'hasConditions' | 'stopEarly'>): boolean {
  return readCache ?? !(startNew || repeats > 1 || hasConditions || stopEarly !== undefined);
}
