import { rmSync } from 'node:fs';
import { KrisisError } from '../core/errors.ts';
import type { PatientRecord } from '../core/patient-record.ts';
import type { TokenUsage } from '../core/text-request.ts';
import type { Warning } from '../metrics/warning.ts';
import type { Backend } from '../models/backend.ts';
import type { RunResult } from '../runs/run-result.ts';
import { needsKeptText, textNotKept } from '../store/protected-data.ts';
import { RunFile } from '../store/run-file.ts';
import type { RecordInput } from '../suites/define-suite.ts';
import type { QuestionSuite } from '../suites/questions/question-suite.ts';
import type { Suite } from '../suites/suite.ts';
import { suiteHash } from '../suites/suite-hash.ts';
import type { Task } from '../suites/task.ts';
import { refuseWhilePending } from '../transports/bulk/bulk-transport.ts';
import type { RunStopped } from '../transports/transport.ts';
import {
  askingAgain,
  countProblems,
  labelRequests,
  planRound,
  type Round,
  textRequests,
} from './ask-again.ts';
import { askLabels, listBatches, nDone } from './ask-labels.ts';
import type { CallContext } from './call-request.ts';
import { isProtected } from './egress.ts';
import { FIRST_CALLS, FirstCalls } from './first-calls.ts';
import { openRun, type PreparedRun, plannedStop, prepareRun } from './prepare-run.ts';
import { askText, isJudged, lacksText, nToJudgeAgain, type TextRun } from './questions/ask-text.ts';
import type { RunIdentity } from './run-identity.ts';
import { DEFAULT_SEED, type FileRun, type RunOptions, readsCache } from './run-options.ts';
import { checkStratify, type RecordSource, selectRecords } from './select-records.ts';
import { runSession } from './session.ts';
import type { Shard } from './shard.ts';
import type { SessionContext, Step } from './step.ts';
import type { PlannedStop, WatchedStop } from './stop-early.ts';
import { taskKind } from './task-kinds.ts';

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
  const setup = await prepareRun(options, await options.suite.describe());
  await checkStratify(options);
  const stop = await plannedStop(setup, options);
  const { file, continued } = openRun(setup, options, stop);
  let isEmpty = false;
  try {
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
    readonly records?: readonly RecordInput[] | undefined;
    /** In place of the suite's own. */
    readonly suiteDescription?: RunResult['suiteDescription'];
  },
): Promise<RunResult> {
  const { suite } = options;
  const records =
    options.records === undefined ? undefined : taskKind(suite.task).checkRecords(suite, options.records);
  const stated = options.suiteDescription ?? (await suite.describe());
  // Other records are another suite, whatever it is called.
  const description =
    records === undefined ? stated : { ...stated, hash: suiteHash(suite.task as Task, records) };
  const setup = await prepareRun(options, description);
  const store = RunFile.inMemory();
  store.setManifest(setup.manifest);
  return perform(store, false, setup, { ...options, records, order: 'given' });
}

/** How records are put into order, which are asked, and when the asking ends. */
interface PerformOptions extends RunOptions {
  readonly order: 'blind' | 'given';
  readonly records?: readonly PatientRecord[] | undefined;
  readonly stop?: PlannedStop | null;
}

/** Selects the records, plans what is missing, and does it in a session. */
async function perform(
  store: RunFile,
  continued: boolean,
  setup: PreparedRun,
  options: PerformOptions,
): Promise<RunResult> {
  const { suite, backend, repeats = 1 } = options;
  const { identity, judges } = setup;
  if (continued && options.bulk === undefined)
    refuseWhilePending(store, [backend, ...judges.map((judge) => judge.backend)]);
  const records = await selectForRun(store, continued, setup, options);
  const watched = options.stop?.watch(store) ?? null;
  const isDecided = () => watched?.isDecided() ?? false;
  const again =
    options.keepFailed || !continued || isDecided() ? null : planRound(store, records, { backend, repeats });
  const work = planWork(store, records, setup, { again, watched, options });

  const total = records.length * repeats;
  const nAgain = again?.open.length ?? 0;
  const done = nDone(records, store, repeats) - nAgain;
  const { status: wasStatus } = store.manifest();
  const isAsked =
    (wasStatus === 'complete' && store.rows.countMissing(repeats) === 0 && nAgain === 0) ||
    (wasStatus === 'stopped_early' && isDecided());
  const isDone = isAsked && work.isJudged();
  announce(store, continued, isDone, work, options);
  if (again !== null) beginRound(store, again, work, options);

  const firstCalls = total - done < FIRST_CALLS ? undefined : new FirstCalls();
  let stoppedAgain: RunStopped | null = null;
  const result = await runSession(
    store,
    {
      begins: continued ? 'continued' : 'started',
      ends: 'finished',
      isDone,
      total,
      done: work.countDone(done, isDone ? total : 0),
      sensitivity: suite.sensitivity,
      batchSize: identity.batchSize,
      callSize: chooseBatchSize(backend, identity),
      simulated: backend.simulated ?? false,
      suiteDescription: setup.description,
      // The library scores what it is given; the records of a file are the suite's own.
      baselineSuite: store.isInMemory ? null : work.baselineSuite,
      manifest: { nSelected: records.length },
      backend,
      judges,
      begin: work.begin(isDone, (session) => ({ ...session.contextFor(backend), firstCalls })),
      // Rows that keep failing do not make a complete run a stopped one.
      isForgiven: (error) => {
        if (!error.isFirstCalls || store.rows.countMissing(repeats) > 0 || !work.isJudged()) return false;
        stoppedAgain = error;
        return true;
      },
      isDecided,
    },
    { ...options, readCache: readsCache(options) },
  );
  return withWarnings(result, [
    ...limitWarnings(options.limit, store.records.count()),
    ...stoppedWarnings(stoppedAgain),
  ]);
}

/** Enters the records of the run, and writes down which were selected. */
async function selectForRun(
  store: RunFile,
  continued: boolean,
  { task, identity }: PreparedRun,
  options: PerformOptions,
): Promise<RecordSource> {
  const { suite, backend, scoring, shard } = options;
  const nBefore = store.records.count();
  const records = await selectRecords(store, {
    suite,
    records: options.records,
    limit: options.limit,
    shard,
    batchSize: chooseBatchSize(backend, identity),
    seed: store.manifest().seed ?? DEFAULT_SEED,
    order: taskKind(task).order(options.order),
    cluster: options.cluster,
    stratify: options.stratify,
    scoring: { ...scoring, metrics: [...(scoring?.metrics ?? []), ...(options.ownMetrics ?? [])] },
  });
  if (records.length === 0) throw emptyShard(shard!, records.nPlanned);
  if (!continued) store.setManifest({ orderSha256: records.orderHash });
  if (shard !== undefined) store.setManifest({ shard: { ...shard, nRecords: records.nPlanned } });
  const nSelected = store.records.count();
  if (continued && nSelected !== nBefore) store.events.add('limit_changed', { from: nBefore, to: nSelected });
  return records;
}

/** Tells the caller what the run is about to do. */
function announce(
  store: RunFile,
  continued: boolean,
  isDone: boolean,
  { nMustAct }: Work,
  { onSelected, onStart }: RunOptions,
): void {
  if (nMustAct !== null) onSelected?.({ nMustAct });
  if (store.isInMemory) return;
  const finished = isDone ? { at: finishedAt(store) } : null;
  onStart?.(store.path, continued, store.calls.countUnfinished(), finished);
}

/** Tells the caller what is asked again, and begins the round where it is a new one. */
function beginRound(store: RunFile, again: Round, work: Work, { backend, onAskAgain }: RunOptions): void {
  const nJudgements = work.countJudgementsAgain();
  const nAgain = again.open.length;
  if (nAgain + nJudgements + again.left.length === 0) return;
  onAskAgain?.(askingAgain(again, work.requests(again), backend, nJudgements));
  if (again.isNew && nAgain + nJudgements > 0)
    store.rounds.begin(again.round, {
      rows: countProblems(again.open),
      ...(nJudgements > 0 && { judgements: nJudgements }),
    });
}

/** What a run asks: cases for labels, or questions for texts that judges read. */
interface Work {
  /** The suite whose baselines a reader compares with; null where it has none. */
  readonly baselineSuite: Suite | null;
  /** Emergencies among the selected records; null for open questions. */
  readonly nMustAct: number | null;
  /** How many items progress counts as done at the beginning. */
  countDone(nRows: number, nComplete: number): number;
  /** Whether every answer has its judgements. */
  isJudged(): boolean;
  /** Judgements that failed before and are asked for again. */
  countJudgementsAgain(): number;
  /** The most that each call of a round can take. */
  requests(again: Round): Iterable<TokenUsage | undefined>;
  /** The step of the session; null where nothing is left for it. */
  begin(
    isDone: boolean,
    createContext: (session: SessionContext) => CallContext,
  ): ((session: SessionContext) => Step<unknown>) | null;
}

interface Plan {
  /** Failed rows that are asked again. */
  readonly again: Round | null;
  readonly watched: WatchedStop | null;
  readonly options: RunOptions;
}

function planWork(store: RunFile, records: RecordSource, setup: PreparedRun, plan: Plan): Work {
  return setup.judging === null
    ? planLabels(store, records, setup, plan)
    : planText(store, records, setup, setup.judging, plan);
}

function planLabels(
  store: RunFile,
  records: RecordSource,
  { task, identity }: PreparedRun,
  { again, watched, options: { suite, backend, repeats = 1 } }: Plan,
): Work {
  const labelTask = task as Task;
  const asking = { task: labelTask, batchSize: chooseBatchSize(backend, identity), repeats, again };
  return {
    baselineSuite: suite as Suite,
    nMustAct: store.records.countEmergencies(labelTask.actLabels),
    countDone: (nRows) => nRows,
    isJudged: () => true,
    countJudgementsAgain: () => 0,
    requests: (round) => labelRequests(listBatches(records, store, asking, round), labelTask, backend),
    begin: (isDone, createContext) => (session) =>
      askLabels(records, createContext(session), {
        ...asking,
        watched,
        counter: session.counter,
        close: () => {
          if (watched !== null && !isDone) store.setManifest({ stopEarly: watched.toStore() });
        },
      }),
  };
}

/** @throws KrisisError when answers are to be judged whose texts are not stored. */
function planText(
  store: RunFile,
  records: RecordSource,
  { task }: PreparedRun,
  judging: NonNullable<PreparedRun['judging']>,
  { again, options }: Plan,
): Work {
  const { backend, repeats = 1 } = options;
  const suite = { ...(options.suite as QuestionSuite), task: task as QuestionSuite['task'] };
  const policy = { isProtected: isProtected(suite), keepText: store.manifest().keepText === true };
  const text: TextRun = { suite, judging: { ...judging, policy, round: again?.round ?? null } };
  if (needsKeptText(store.manifest()) && lacksText(store, text, repeats)) throw textNotKept(store.path);
  if (options.allowUncalibratedJudge && store.manifest().allowUncalibratedJudge !== true)
    store.setManifest({ allowUncalibratedJudge: true });
  return {
    baselineSuite: null,
    nMustAct: null,
    // Every answer is looked at again, because its judgements may be missing.
    countDone: (_, nComplete) => nComplete,
    isJudged: () => isJudged(store, text, repeats),
    countJudgementsAgain: () => nToJudgeAgain(store, text, repeats),
    requests: (round) => textRequests(round, suite, backend),
    begin: (isDone, createContext) =>
      isDone
        ? null
        : (session) =>
            askText(store, records, text, { again, repeats, context: createContext(session), session }),
  };
}

/** When the last session ended; null where the run does not say. */
function finishedAt(store: RunFile): string | null {
  const end = store.events.read().findLast(({ kind }) => kind === 'finished' || kind === 'judged');
  return end?.data.status === undefined ? null : new Date(end.time * 1000).toISOString();
}

function chooseBatchSize({ answersSingly }: Backend, { batchSize }: RunIdentity): number {
  return answersSingly ? 1 : batchSize;
}

function emptyShard({ index, of }: Shard, nPlanned: number): KrisisError {
  return new KrisisError(
    `shard ${index}/${of} has no call to make: the run has fewer than ${of} calls (${nPlanned} cases). Use fewer parts`,
    { code: 'ERR_NO_RECORDS', value: `${index}/${of}` },
  );
}

/** All records of the run are reported, also those that this session did not ask for. */
function limitWarnings(limit: number | undefined, held: number): Warning[] {
  if (limit === undefined || limit >= held) return [];
  const message = `the run holds ${held} cases; all of them are reported (a limit of ${limit} asks for fewer)`;
  return [{ code: 'limit_below_run', message }];
}

/** Failed rows that were not reached stay as they were. */
function stoppedWarnings(stopped: RunStopped | null): Warning[] {
  if (stopped === null) return [];
  return [
    { code: 'asking_again_stopped', message: `Asking failed cases again was stopped (${stopped.message}).` },
  ];
}

function withWarnings(result: RunResult, more: readonly Warning[]): RunResult {
  if (more.length === 0) return result;
  const value = [...result.warnings, ...more];
  return Object.defineProperty(result, 'warnings', { value, enumerable: true });
}
