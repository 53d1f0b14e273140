import type { BulkBehaviour } from './bulk.ts';
import type { FaultShares, FaultsPass } from './faults.ts';
import type { RetryAfterForm } from './retry-after.ts';
import type { MalformedKind, PartialKind, RepairableKind } from './spoiled-reply.ts';
import type { ReportedUsage } from './usage.ts';
import type { Question } from './wire-format.ts';

interface RateLimit {
  readonly perSecond: number;
  /** How many may come at once after a pause; 1 unless said. */
  readonly burst?: number;
  /** How the wait is announced; whole seconds unless said. */
  readonly header?: RetryAfterForm;
  /** The shortest wait that is announced. */
  readonly minSeconds?: number;
  readonly status?: 429 | 503 | 529;
}

/** Every request whose number is in [from, to) gets 429; the first request is number 0. */
interface Storm {
  readonly from: number;
  readonly to: number;
  readonly retryAfterSeconds: number;
}

/** How the emulated provider behaves. Shares are of prompts, from 0 to 1; all that is not said is fine. */
export interface EmulatorOptions extends FaultShares {
  /** Takes bulk jobs, and how. Default: it takes none. */
  readonly bulk?: BulkBehaviour;
  /** Which labels there are where the request has no schema. */
  readonly labels?: readonly string[];
  readonly abstainShare?: number;
  /** Time until an answer; a 429 comes at once. */
  readonly latencyMs?: number | ((question: Question, number: number) => number);

  readonly rateLimit?: RateLimit;
  readonly storm?: Storm;
  /** How long before the announced moment a request is not yet called early. */
  readonly graceMs?: number;
  /** How long after a 429 was sent a client that asks again may not have read it yet. */
  readonly noticeMs?: number;

  readonly auth?: 'ok' | 'missing' | 'invalid' | 'forbidden' | 'quota' | 'unknown_model';
  /** How many requests are taken before the quota is used up. */
  readonly quotaAfter?: number;
  /** The longest prompt that is taken, in characters. */
  readonly contextLimit?: number;
  /** Any prompt with this text in it gets 500, always with the same message. */
  readonly poison?: string;

  /** True: a fault strikes only the first time that a prompt gets through. False: every time. `by_chance`: it is drawn anew each time. */
  readonly faultsPass?: FaultsPass;
  /** Replies to a single case are malformed too, not those to batches alone. */
  readonly malformedSingles?: boolean;
  /** Which kinds to choose from; all of them unless said. */
  readonly malformedKinds?: readonly MalformedKind[];
  readonly repairableKinds?: readonly RepairableKind[];
  readonly partialKinds?: readonly PartialKind[];
  /** The model repeats the case before it answers, and errors quote the request and its key. */
  readonly echo?: boolean;

  /** Spaces after the text of every reply: how large replies are dealt with. Default: 0. */
  readonly padding?: number;
  /** What replies say of the tokens they took. Default: the truth. */
  readonly usage?: ReportedUsage;
  /** How many times the output tokens that a request allows its reply takes; null where it stays within them. Default: all do. */
  readonly overrun?: (number: number) => number | null;

  /** Keep the text of the requests. */
  readonly record?: boolean;
  /** Where to listen: for one that takes the place of another. A free port unless said. */
  readonly port?: number;
}
