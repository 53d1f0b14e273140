import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { KrisisError, type PatientRecord } from '../core/index.ts';
import type { Warning } from '../metrics/index.ts';
import type { Backend, Judge } from '../models/index.ts';
import type { StopEarlyOptions } from '../results/early/index.ts';
import type { RunResult } from '../results/index.ts';
import { type ClaimSource, rubricsManifest } from '../rubrics/index.ts';
import {
  type ManifestUpdate,
  needsKeptText,
  nextFreePath,
  placeKey,
  type RowPlace,
  RunFile,
  SCHEMA_VERSION,
  textNotKept,
} from '../store/index.ts';
import {
  type AnyTask,
  descriptionObject,
  isQuestionSuite,
  type QuestionSuite,
  type Suite,
  type SuiteDescription,
} from '../suites/index.ts';
import {
  type AskingAgain,
  askingAgain,
  labelRequests,
  planRound,
  problemsOf,
  type Round,
  textRequests,
} from './ask-again.ts';
import { askRecords, batchesOf, checkCounts, nDone } from './ask-records.ts';
import type { BulkOptions } from './bulk/bulk-lane.ts';
import { inRounds } from './bulk/bulk-rounds.ts';
import { checkBulk, openLanes, refuseWhilePending } from './bulk/open-lanes.ts';
import type { CallContext } from './call-request.ts';
import { type Egress, isProtected } from './egress.ts';
import { FIRST_CALLS, FirstCalls } from './first-calls.ts';
import { nWorkers } from './pacing/concurrency-limit.ts';
import { askQuestion } from './questions/ask-question.ts';
import { type Judging, judgeAnswer, judgingFor, missingJudgements } from './questions/judge-answer.ts';
import {
  checkClaims,
  claimsManifest,
  isLastJury,
  judgesManifest,
  juryOf,
  seatJudges,
} from './questions/seat-judges.ts';
import { checkSameRun, type RunIdentity, runIdentity, runPathFor } from './run-identity.ts';
import { RunStopped } from './run-stopped.ts';
import { selectArm, withPrompts } from './select-arm.ts';
import { checkStratify, type RecordSource, selectRecords } from './select-records.ts';
import { checkShard, type Shard, shardPath } from './shard.ts';
import { checkBackends, type Desk, type SittingOptions, sit } from './sitting.ts';
import { checkTerms, type PlannedStop, planStop } from './stop-early.ts';
import { runWorkers } from './workers.ts';

/** Raised when a change of the parser or of the prompts makes new rows differ from old ones. */
const PARSER_VERSION = 2;
const PROMPT_VERSION = 2;

export const DEFAULT_BATCH_SIZE = 8;
export const DEFAULT_SEED = 42;

/** What is run, and how. */
export interface RunOptions extends SittingOptions {
  /** Records with labels, or open questions. */
  readonly suite: Suite<AnyTask>;
  /** The model that is asked. */
  readonly backend: Backend;
  /** Judges the answers to open questions; required for them, and unused for labels. Several judges are a jury: each judges every answer, and the majority counts. */
  readonly judge?: Judge | readonly Judge[] | undefined;
  /** How often each judge reads each answer. Default: 1. */
  readonly passes?: number | undefined;
  /** Whether the judge also fills the lists of the second protocol, for comparison with older results. Default: false. */
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
  /** Ask through the provider's bulk jobs: at half the price, within a day. Default: ordinary calls. */
  readonly bulk?: BulkOptions | undefined;
  /** The run file. Default: one under `.krisis/runs`, named by what is run. */
  readonly path?: string | undefined;
  /** Stop as soon as these gates are decided, pass or fail, looking after every record of a committed random order; only for labels. Default: all records are asked. */
  readonly stopEarly?: StopEarlyOptions | undefined;
  /** Start a new run instead of continuing the one in the file. Default: false. */
  readonly startNew?: boolean | undefined;
  /** Leave failed rows and failed judgements as they are. Default: false, a run that is continued asks them again, except rows where the same settings would bring the same. */
  readonly keepFailed?: boolean | undefined;
  /** Called before the first call when the run has failed rows or judgements, unless they are to be kept. */
  readonly onAskAgain?: ((again: AskingAgain) => void) | undefined;
  /** Called when the file is open, before the first call. `nUnfinished` calls of an earlier process have no outcome, and may be asked again. */
  readonly onStart?: ((path: string, continued: boolean, nUnfinished: number) => void) | undefined;
}

/** A result of a run file. */
export type FileRun = RunResult & { readonly path: string };

/**
 * Runs a suite against a model into a run file, or continues the run in it: asks what is missing, judges what is missing (open questions), and scores. Answering and judging overlap: each
 * answer is judged as soon as it is there, and is never asked again because its judge failed. Whatever ends the run, what was finished is in the file; when nothing is missing, nothing changes.
 *
 * @throws KrisisError when the file holds another run, when protected data would leave the machine, or when a budget cannot be kept.
 *
 * @example
 * ```ts
 * const { mkdtempSync, rmSync } = process.getBuiltinModule('node:fs');
 * const { tmpdir } = process.getBuiltinModule('node:os');
 * const folder = mkdtempSync(`${tmpdir()}/krisis-`);
 * const suite = await findSuite('open/bcl2', {});
 * const backend = {
 *   ...defineBackend({ name: 'mine', evaluate: () => ({ prediction: null, abstained: true }) }),
 *   generate: async () => ({ text: 'BCL2 is on chromosome 18.', inputTokens: null, outputTokens: null }),
 * };
 * const result = await run({ suite, backend, judge: LEXICAL_JUDGE, path: `${folder}/run.db` });
 * [result.status, result.nRecords] // => ['complete', 1]
 * rmSync(folder, { recursive: true });
 * ```
 */
export async function run(options: RunOptions): Promise<FileRun> {
  const setup = await prepare(options, await options.suite.describe());
  await checkStratify(options);
  const stop = await planned(setup, options);
  const { file, continued } = openFile(setup, options, stop);
  let isEmpty = false;
  try {
    options.onStart?.(file.path, continued, file.nUnfinished());
    return (await perform(file, continued, setup, { ...options, order: 'blind', stop })) as FileRun;
  } catch (error) {
    isEmpty = !continued && error instanceof KrisisError && error.code === 'ERR_NO_RECORDS';
    throw error;
  } finally {
    file.close();
    if (isEmpty)
      for (const made of ['', '-wal', '-shm', '.lock']) rmSync(`${file.path}${made}`, { force: true });
  }
}

/** The same without a file: the store is in memory, and its rows are in the result. */
export async function runInMemory(
  options: RunOptions & {
    readonly records?: readonly PatientRecord[] | undefined;
    /** In place of the suite's own. */
    readonly suiteDescription?: RunResult['suiteDescription'];
  },
): Promise<RunResult> {
  const description = options.suiteDescription ?? (await options.suite.describe());
  const setup = await prepare(options, description);
  const store = RunFile.inMemory();
  store.setManifest(setup.manifest);
  return perform(store, false, setup, { ...options, order: 'given' });
}

type Setup = Awaited<ReturnType<typeof prepare>>;

/** Checks what can be checked before the first call. */
async function prepare(options: RunOptions, description: NonNullable<RunResult['suiteDescription']>) {
  const { suite, backend, judge, batchSize = DEFAULT_BATCH_SIZE, repeats = 1 } = options;
  const { passes = 1, buckets = false, seed = DEFAULT_SEED } = options;
  checkCounts({ batchSize, repeats, maxConcurrency: options.maxConcurrency ?? 'auto' });
  if (options.shard !== undefined) checkShard(options.shard);
  const task = withPrompts(selectArm(suite.task, options.arm), options);
  const isText = task.kind === 'text';
  if (isText && judge === undefined)
    throw new KrisisError(`${suite.name}: open questions need a judge`, {
      code: 'ERR_JUDGE_REQUIRED',
      value: suite.name,
    });
  if (isText && backend.generate === undefined)
    throw new KrisisError(
      `${backend.name} answers with labels only; open questions need a model that writes text`,
      { code: 'ERR_MODEL_WITHOUT_TEXT', value: backend.name },
    );
  const judges = isText ? juryOf(judge!) : [];
  if (isText) checkClaims(options.claims, judges);
  const backends = [backend, ...judges.map((one) => one.backend)];
  if (options.bulk !== undefined) checkBulk(suite, backends, options);
  const [egress, ...judgeEgress] = checkBackends(
    suite.sensitivity,
    backends,
    options,
    options.bulk !== undefined,
  );
  const said = description as Partial<SuiteDescription> & { readonly suite_hash?: unknown };
  const hash = said.hash ?? said.suite_hash;
  const identity = runIdentity({
    suiteHash: typeof hash === 'string' ? hash : null,
    task,
    backend,
    batchSize,
    repeats,
    cluster: options.cluster,
    stratify: options.stratify,
  });
  return {
    task,
    identity,
    description,
    manifest: firstManifest(identity, task, said, egress ?? null, options),
    judging: isText ? { judges, judgeEgress, passes, buckets, claims: options.claims ?? null, seed } : null,
  };
}

/** How the run stops early; null for one that asks everything. A run that is continued keeps its seed. */
async function planned({ task, identity }: Setup, options: RunOptions): Promise<PlannedStop | null> {
  const { stopEarly, backend, seed = DEFAULT_SEED, repeats = 1 } = options;
  if (stopEarly === undefined) return null;
  const found = RunFile.peek(targetOf(identity, options));
  return planStop({
    ...options,
    stopEarly,
    task: task as Extract<AnyTask, { kind?: 'labels' }>,
    seed: found?.seed ?? seed,
    repeats,
    batchSize: backend.answersSingly ? 1 : identity.batch_size,
  });
}

function targetOf(identity: RunIdentity, { path, startNew, backend, shard }: RunOptions): string {
  const whole = path ?? runPathFor(identity, backend);
  const usual = path === undefined && shard !== undefined ? shardPath(whole, shard) : whole;
  return startNew && path === undefined ? nextFreePath(usual) : usual;
}

/** Opens the run file: the one there is when it holds the same run, else a new one. */
function openFile({ identity, manifest }: Setup, options: RunOptions, stop: PlannedStop | null) {
  const { startNew, shard } = options;
  const target = targetOf(identity, options);
  if (startNew && existsSync(target))
    throw new KrisisError(`${target}: exists already; a new run needs a file of its own`, {
      code: 'ERR_FILE_EXISTS',
      value: target,
    });
  // Before it is opened for writing, so that a file of another run, or of an older version, stays as it is.
  const found = RunFile.peek(target);
  if (found !== null) {
    checkSameRun(target, found.identity, identity);
    checkSameShard(target, found.shard, shard);
    checkTerms(target, found, stop?.committed ?? null);
  }
  const file = RunFile.write(target, { isPrivate: manifest.sensitivity === 'protected' });
  try {
    const continued = !file.isNew();
    if (!continued) file.setManifest({ ...manifest, ...(stop && { stop_early: stop.committed }) });
    else {
      checkSameRun(target, file.manifest().identity, identity);
      if (manifest.keep_text === true && file.manifest().keep_text !== true) throw textNotKept(target);
    }
    return { file, continued };
  } catch (error) {
    file.close();
    throw error;
  }
}

async function perform(
  store: RunFile,
  continued: boolean,
  { task, judging, description, identity }: Setup,
  options: RunOptions & {
    readonly order: 'blind' | 'given';
    readonly records?: readonly PatientRecord[] | undefined;
    readonly stop?: PlannedStop | null;
  },
): Promise<RunResult> {
  const { suite, backend, repeats = 1, maxConcurrency = 'auto', signal } = options;
  if (continued && options.bulk === undefined) refuseWhilePending(store);
  const nBefore = store.nRecords();
  const records = await selectRecords(store, {
    suite,
    records: options.records,
    limit: options.limit,
    shard: options.shard,
    batchSize: batchSizeOf(backend, identity),
    seed: store.manifest().seed ?? DEFAULT_SEED,
    // Open questions are few, and a reader expects them as the suite lists them.
    order: isQuestionSuite(suite) ? 'given' : options.order,
    cluster: options.cluster,
    stratify: options.stratify,
    scoring: {
      ...options.scoring,
      metrics: [...(options.scoring?.metrics ?? []), ...(options.ownMetrics ?? [])],
    },
  });
  if (records.length === 0) throw emptyShard(options.shard!, records.nPlanned);
  if (!continued) store.setManifest({ order_sha256: records.orderHash });
  if (options.shard !== undefined)
    store.setManifest({ shard: { ...options.shard, n_records: records.nPlanned } });
  const nSelected = store.nRecords();
  if (continued && nSelected !== nBefore) store.addEvent('limit_changed', { from: nBefore, to: nSelected });
  const watched = options.stop?.watch(store) ?? null;
  const isDecided = watched?.isDecided() ?? false;
  const again =
    options.keepFailed || !continued || isDecided ? null : planRound(store, records, { backend, repeats });
  const nAgain = again?.open.length ?? 0;
  const { status: wasStatus } = store.manifest();
  const isAsked =
    (wasStatus === 'complete' && store.nMissing(repeats) === 0 && nAgain === 0) ||
    (wasStatus === 'stopped_early' && isDecided);
  const policy = { isProtected: isProtected(suite), keepText: store.manifest().keep_text === true };
  const text: TextRun | null =
    isQuestionSuite(suite) && judging !== null
      ? {
          suite: { ...suite, task: task as QuestionSuite['task'] },
          judgeEgress: judging.judgeEgress,
          judging: {
            ...judging,
            judges: seatJudges(judging.judges, store),
            policy,
            round: again?.round ?? null,
          },
        }
      : null;
  if (text !== null && needsKeptText(store.manifest()) && lacksText(store, text, repeats))
    throw textNotKept(store.path);
  const total = records.length * repeats;
  const done = nDone(records, store, repeats) - nAgain;
  const asking = {
    task: task as Extract<AnyTask, { kind?: 'labels' }>,
    batchSize: batchSizeOf(backend, identity),
    repeats,
    again,
  };
  const nJudgements = text === null ? 0 : nToJudgeAgain(store, text, repeats);
  if (again !== null && (nAgain > 0 || nJudgements > 0 || again.left.length > 0)) {
    const requests =
      text === null
        ? labelRequests(batchesOf(records, store, asking, again), asking.task, backend)
        : textRequests(again, text.suite, backend);
    options.onAskAgain?.(askingAgain(again, requests, backend, nJudgements));
    if (again.isNew && nAgain + nJudgements > 0)
      store.beginRound(again.round, {
        rows: problemsOf(again.open),
        ...(nJudgements > 0 && { judgements: nJudgements }),
      });
  }
  const hasAllRows = () => store.nMissing(repeats) === 0 && (text === null || isJudged(store, text, repeats));
  const isDone = isAsked && (text === null || isJudged(store, text, repeats));
  let stoppedAgain: RunStopped | null = null;
  let isWaiting = false;
  const result = await sit(
    store,
    {
      begins: continued ? 'continued' : 'started',
      ends: 'finished',
      isDone,
      total,
      done: text === null ? done : isDone ? total : 0,
      sensitivity: suite.sensitivity,
      batchSize: identity.batch_size,
      simulated: backend.simulated ?? false,
      suiteDescription: description,
      // The library scores what it is given; the records of a file are the suite's own.
      baselinesOf: store.isInMemory || suite.task.kind === 'text' ? null : (suite as Suite),
      manifest: { n_selected: records.length },
      perform: async (desk) => {
        const firstCalls = total - done < FIRST_CALLS ? undefined : new FirstCalls();
        const lanes =
          options.bulk === undefined ? null : openLanes(store, options.bulk, desk.spending, options);
        const contextFor = (one: Backend) => ({ ...desk.contextFor(one), later: lanes?.of(one) });
        const context = { ...contextFor(backend), firstCalls };
        const { counter } = desk;
        const walkThrough: WalkThrough = async (walk) => {
          if (lanes === null) await walk();
          else isWaiting = (await inRounds(lanes.all(), { ...options.bulk, signal }, walk)) === 'waiting';
        };
        try {
          if (text === null)
            await walkThrough(() =>
              askRecords(records, context, { ...asking, maxConcurrency, signal, counter, watched }),
            );
          else if (!isDone)
            await askAndJudge(
              store,
              records,
              { ...text, again },
              { ...desk, contextFor, context, walkThrough },
              options,
            );
        } catch (error) {
          // Rows that keep failing do not make a complete run a stopped one.
          if (!(error instanceof RunStopped && error.isFirstCalls && hasAllRows())) throw error;
          stoppedAgain = error;
        } finally {
          if (watched !== null && !isDone) store.setManifest({ stop_early: watched.toStore() });
        }
      },
      isDecided: () => watched?.isDecided() ?? false,
      isWaiting: () => isWaiting,
      isComplete: ({ current }) => {
        if (stoppedAgain !== null) return true;
        // Of all that was ever asked for: a smaller limit does not complete a larger run.
        const isOpen = ({ recordId, repeat }: RowPlace) => !store.isDone(recordId, repeat, again!.round);
        const isAllAsked = store.nMissing(repeats) === 0 && again?.open.some(isOpen) !== true;
        return isAllAsked && (text === null || current.done === total);
      },
    },
    options,
  );
  return withWarnings(result, [
    ...(options.limit !== undefined && options.limit < nSelected
      ? [limitWarning(options.limit, nSelected)]
      : []),
    ...stoppedWarnings(stoppedAgain),
  ]);
}

/** Does the work as often as replies have to be waited for. */
type WalkThrough = (walk: () => Promise<void>) => Promise<void>;

interface TextRun {
  readonly suite: QuestionSuite;
  readonly judging: Judging;
  /** Where each judge's data go. */
  readonly judgeEgress: readonly (Egress | null)[];
}

/** Asks the questions that are missing and has every answer judged, several at a time. */
async function askAndJudge(
  store: RunFile,
  records: RecordSource,
  { suite, judging, judgeEgress, again }: TextRun & { readonly again: Round | null },
  desk: Desk & { readonly context: CallContext; readonly walkThrough: WalkThrough },
  { repeats = 1, maxConcurrency = 'auto', signal }: RunOptions,
): Promise<void> {
  const { counter, context, contextFor } = desk;
  const selected = new Set(Array.from({ length: records.length }, (_, index) => records.id(index)));
  const questions = suite.questions.filter(({ id }) => selected.has(id));
  store.setManifest({
    ...judgesManifest(store.manifest(), judging.judges, { passes: judging.passes, egress: judgeEgress }),
    ...claimsManifest(judging.claims),
    ...rubricsManifest(questions, store.manifest()),
  });
  const reopened = new Set(again?.open.map(placeKey));
  const contexts = new Map(
    judging.judges.map(({ judge }) => [judge, judge.backend && contextFor(judge.backend)]),
  );
  let work = Array.from({ length: repeats }, (_, repeat) =>
    questions.map((question) => ({ question, repeat })),
  ).flat();
  const judgeOne = async ({ question, repeat }: (typeof work)[number], stop: AbortSignal) => {
    const round = reopened.has(placeKey({ recordId: question.id, repeat })) ? again!.round : 0;
    const stored = store.isDone(question.id, repeat, round) ? store.answer(question.id, repeat) : null;
    const asked =
      stored === null
        ? await askQuestion(question, { repeat, round }, suite.task, { ...context, signal: stop })
        : null;
    const { state } = asked?.row ?? stored!;
    const row = asked?.isEntered === false ? asked.row : null;
    if (state === 'answered') {
      const answer = asked?.answer ?? stored?.answer ?? null;
      const contextOf = (judge: Judge) => {
        const judgeContext = contexts.get(judge) ?? null;
        return judgeContext && { ...judgeContext, signal: stop };
      };
      const answered = { question, repeat, answer: answer ?? '' };
      await judgeAnswer(answered, judgingFor(judging, answer), store, contextOf, row);
    } else if (row !== null) store.enter([row]);
    counter.row({ state });
  };
  await desk.walkThrough(async () => {
    work = await runWorkers(work, nWorkers(maxConcurrency, context.backend.places), signal, judgeOne);
  });
}

function batchSizeOf({ answersSingly }: Backend, { batch_size }: RunIdentity): number {
  return answersSingly ? 1 : batch_size;
}

/** A part is continued as the same part. A merged run is continued as a whole. */
function checkSameShard(path: string, there: Shard | null, now: Shard | undefined): void {
  if (there?.index === now?.index && there?.of === now?.of) return;
  const partText = (shard: Shard | null | undefined) =>
    shard ? `part ${shard.index} of ${shard.of}` : 'a whole run';
  throw new KrisisError(
    `${path}: holds ${partText(there)}, and this is ${partText(now)}; use another file, or merge the parts first`,
    { code: 'ERR_RUN_DIFFERS', value: path },
  );
}

function emptyShard({ index, of }: Shard, nPlanned: number): KrisisError {
  return new KrisisError(
    `shard ${index}/${of} has no call to make: the run has fewer than ${of} calls (${nPlanned} records). Use fewer parts`,
    { code: 'ERR_NO_RECORDS', value: `${index}/${of}` },
  );
}

/** Whether every answer of a run has all its judgements, by these judges, and the run says so. */
function isJudged(store: RunFile, text: TextRun, repeats: number): boolean {
  const { judges, passes } = text.judging;
  return isLastJury(store.manifest(), judges, passes) && unjudged(store, text, repeats).next().done === true;
}

/** Whether an answer is still to be judged whose text is not stored. */
function lacksText(store: RunFile, text: TextRun, repeats: number): boolean {
  return unjudged(store, text, repeats).some(({ row }) => row.answer === null);
}

/** Judgements that failed before and are asked for again. */
function nToJudgeAgain(store: RunFile, text: TextRun, repeats: number): number {
  return unjudged(store, text, repeats).reduce(
    (sum, { missing }) => sum + missing.filter(({ isAgain }) => isAgain).length,
    0,
  );
}

/** The answers that lack a judgement by these judges. */
function* unjudged(store: RunFile, { suite, judging }: TextRun, repeats: number) {
  for (const question of suite.questions)
    for (let repeat = 0; repeat < repeats; repeat++) {
      const row = store.answer(question.id, repeat);
      if (row?.state !== 'answered') continue;
      const answered = { question, repeat, answer: row.answer ?? '' };
      const missing = missingJudgements(answered, judgingFor(judging, row.answer), store);
      if (missing.length > 0) yield { row, missing };
    }
}

/** All records of the run are reported, also those that this sitting did not ask for. */
function limitWarning(limit: number, held: number): Warning {
  const message = `the run holds ${held} records; all of them are reported (a limit of ${limit} asks for fewer)`;
  return { code: 'limit_below_run', message };
}

/** Failed rows that were not reached stay as they were. */
function stoppedWarnings(stopped: RunStopped | null): Warning[] {
  if (stopped === null) return [];
  return [
    { code: 'asking_again_stopped', message: `Asking failed rows again was stopped (${stopped.message}).` },
  ];
}

function withWarnings(result: RunResult, more: readonly Warning[]): RunResult {
  if (more.length === 0) return result;
  const value = [...result.warnings, ...more];
  return Object.defineProperty(result, 'warnings', { value, enumerable: true });
}

/** What a new run says of itself. */
function firstManifest(
  identity: RunIdentity,
  task: AnyTask,
  description: Partial<SuiteDescription>,
  egress: Egress | null,
  { suite, backend, krisisVersion, cluster, keepText = false, seed = DEFAULT_SEED }: RunOptions,
): ManifestUpdate {
  return {
    identity,
    run_id: randomUUID(),
    schema_version: SCHEMA_VERSION,
    parser_version: PARSER_VERSION,
    prompt_version: PROMPT_VERSION,
    kind: task.kind ?? 'labels',
    krisis_version: krisisVersion ?? null,
    created_at: new Date().toISOString(),
    status: 'running',
    suite: suiteObject(suite, description),
    suite_name: suite.name,
    sensitivity: suite.sensitivity ?? 'protected',
    ...(isProtected(suite) && { keep_text: keepText }),
    task:
      task.kind === 'text'
        ? null
        : {
            id: task.id,
            labels: task.labels,
            positive_label: task.positiveLabel ?? null,
            label_from_values: task.labelFromValues ?? false,
            ordered: task.ordered,
            pack: task.pack ?? null,
            stratum: task.stratum ?? null,
            deferral_reasons: task.deferralReasons ?? null,
          },
    arm: task.defaultArm,
    instructions: (task.arms as Readonly<Record<string, { instructions: string }>>)[task.defaultArm]!
      .instructions,
    primary_endpoint: task.primaryEndpoint,
    model: backend.name,
    simulated: backend.simulated ?? false,
    parameters: backend.parameters ?? {},
    seed,
    cluster: cluster ?? suite.cluster ?? null,
    egress,
  };
}

/** The suite in its file form. A caller of the library may describe it as they like. */
function suiteObject(suite: Suite<AnyTask>, description: Partial<SuiteDescription>): object {
  if (isQuestionSuite(suite))
    return {
      name: suite.name,
      suite_hash: suite.hash,
      sensitivity: suite.sensitivity,
      n_questions: suite.questions.length,
    };
  return description.deferral === undefined
    ? description
    : descriptionObject(description as SuiteDescription);
}
