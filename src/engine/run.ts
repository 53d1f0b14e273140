import { rmSync } from 'node:fs';
import { KrisisError, type PatientRecord } from '../core/index.ts';
import type { Warning } from '../metrics/index.ts';
import type { Backend } from '../models/backend.ts';
import type { RunResult } from '../runs/run-result.ts';
import type { RowPlace } from '../store/asking-rounds.ts';
import { needsKeptText, textNotKept } from '../store/protected-data.ts';
import { RunFile } from '../store/run-file.ts';
import {
  type AnyTask,
  checkRecords,
  isQuestionSuite,
  type QuestionSuite,
  type RecordInput,
  type Suite,
  suiteHash,
  type Task,
} from '../suites/index.ts';
import { askingAgain, labelRequests, planRound, problemsOf, textRequests } from './ask-again.ts';
import { askRecords, batchesOf, nDone } from './ask-records.ts';
import { openLanes, refuseWhilePending } from './bulk/open-lanes.ts';
import { isProtected } from './egress.ts';
import { FIRST_CALLS, FirstCalls } from './first-calls.ts';
import { openRun, plannedStop } from './open-run.ts';
import { type PreparedRun, prepareRun } from './prepare-run.ts';
import { askAndJudge, isJudged, lacksText, nToJudgeAgain, type TextRun } from './questions/ask-and-judge.ts';
import { readsCache } from './reads-cache.ts';
import type { RunIdentity } from './run-identity.ts';
import { DEFAULT_SEED, type FileRun, type RunOptions } from './run-options.ts';
import { RunStopped } from './run-stopped.ts';
import { checkStratify, selectRecords } from './select-records.ts';
import type { Shard } from './shard.ts';
import { sit } from './sitting.ts';
import type { PlannedStop } from './stop-early.ts';

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
    options.records === undefined || suite.task.kind === 'text'
      ? (options.records as readonly PatientRecord[] | undefined)
      : checkRecords(suite as Suite, options.records);
  const stated = options.suiteDescription ?? (await suite.describe());
  // Other records are another suite, whatever it is called.
  const description =
    records === undefined ? stated : { ...stated, hash: suiteHash(suite.task as Task, records) };
  const setup = await prepareRun(options, description);
  const store = RunFile.inMemory();
  store.setManifest(setup.manifest);
  return perform(store, false, setup, { ...options, records, order: 'given' });
}

async function perform(
  store: RunFile,
  continued: boolean,
  { task, judging, description, identity }: PreparedRun,
  options: RunOptions & {
    readonly order: 'blind' | 'given';
    readonly records?: readonly PatientRecord[] | undefined;
    readonly stop?: PlannedStop | null;
  },
): Promise<RunResult> {
  const { suite, backend, repeats = 1, maxConcurrency = 'auto', signal } = options;
  if (continued && options.bulk === undefined)
    refuseWhilePending(store, [backend, ...(judging?.judges ?? []).map((judge) => judge.backend)]);
  const nBefore = store.records.count();
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
  if (!continued) store.setManifest({ orderSha256: records.orderHash });
  if (options.shard !== undefined)
    store.setManifest({ shard: { ...options.shard, nRecords: records.nPlanned } });
  const nSelected = store.records.count();
  if (continued && nSelected !== nBefore) store.events.add('limit_changed', { from: nBefore, to: nSelected });
  const watched = options.stop?.watch(store) ?? null;
  const isDecided = watched?.isDecided() ?? false;
  const again =
    options.keepFailed || !continued || isDecided ? null : planRound(store, records, { backend, repeats });
  const nAgain = again?.open.length ?? 0;
  const { status: wasStatus } = store.manifest();
  const isAsked =
    (wasStatus === 'complete' && store.rows.countMissing(repeats) === 0 && nAgain === 0) ||
    (wasStatus === 'stopped_early' && isDecided);
  const policy = { isProtected: isProtected(suite), keepText: store.manifest().keepText === true };
  const text: TextRun | null =
    isQuestionSuite(suite) && judging !== null
      ? {
          suite: { ...suite, task: task as QuestionSuite['task'] },
          judging: { ...judging, policy, round: again?.round ?? null },
        }
      : null;
  if (text !== null && needsKeptText(store.manifest()) && lacksText(store, text, repeats))
    throw textNotKept(store.path);
  if (text !== null && options.allowUncalibratedJudge && store.manifest().allowUncalibratedJudge !== true)
    store.setManifest({ allowUncalibratedJudge: true });
  const total = records.length * repeats;
  const done = nDone(records, store, repeats) - nAgain;
  const asking = {
    task: task as Extract<AnyTask, { kind?: 'labels' }>,
    batchSize: batchSizeOf(backend, identity),
    repeats,
    again,
  };
  const isDone = isAsked && (text === null || isJudged(store, text, repeats));
  if (task.kind !== 'text')
    options.onSelected?.({ nMustAct: store.records.countEmergencies(task.actLabels) });
  if (!store.isInMemory)
    options.onStart?.(
      store.path,
      continued,
      store.calls.countUnfinished(),
      isDone ? { at: finishedAt(store) } : null,
    );
  const nJudgements = text === null ? 0 : nToJudgeAgain(store, text, repeats);
  if (again !== null && (nAgain > 0 || nJudgements > 0 || again.left.length > 0)) {
    const requests =
      text === null
        ? labelRequests(batchesOf(records, store, asking, again), asking.task, backend)
        : textRequests(again, text.suite, backend);
    options.onAskAgain?.(askingAgain(again, requests, backend, nJudgements));
    if (again.isNew && nAgain + nJudgements > 0)
      store.rounds.begin(again.round, {
        rows: problemsOf(again.open),
        ...(nJudgements > 0 && { judgements: nJudgements }),
      });
  }
  const hasAllRows = () =>
    store.rows.countMissing(repeats) === 0 && (text === null || isJudged(store, text, repeats));
  let stoppedAgain: RunStopped | null = null;
  const result = await sit(
    store,
    {
      begins: continued ? 'continued' : 'started',
      ends: 'finished',
      isDone,
      total,
      done: text === null ? done : isDone ? total : 0,
      sensitivity: suite.sensitivity,
      batchSize: identity.batchSize,
      callSize: batchSizeOf(backend, identity),
      simulated: backend.simulated ?? false,
      suiteDescription: description,
      // The library scores what it is given; the records of a file are the suite's own.
      baselinesOf: store.isInMemory || suite.task.kind === 'text' ? null : (suite as Suite),
      manifest: { nSelected: records.length },
      perform: async (desk) => {
        const firstCalls = total - done < FIRST_CALLS ? undefined : new FirstCalls();
        const lanes = openLanes(store, desk, {
          ...options,
          sensitivity: suite.sensitivity,
          judges: text?.judging.judges ?? [],
        });
        const context = { ...lanes.contextFor(backend), firstCalls };
        const { counter } = desk;
        try {
          if (text === null)
            return await lanes.walkThrough(() =>
              askRecords(records, context, { ...asking, maxConcurrency, signal, counter, watched }),
            );
          if (isDone) return await lanes.removeLeft();
          return await askAndJudge(
            store,
            records,
            { ...text, again },
            { ...desk, ...lanes, context },
            options,
          );
        } catch (error) {
          // Rows that keep failing do not make a complete run a stopped one.
          if (!(error instanceof RunStopped && error.isFirstCalls && hasAllRows())) throw error;
          stoppedAgain = error;
          return 'done';
        } finally {
          if (watched !== null && !isDone) store.setManifest({ stopEarly: watched.toStore() });
        }
      },
      isDecided: () => watched?.isDecided() ?? false,
      isComplete: ({ current }) => {
        if (stoppedAgain !== null) return true;
        // Of all that was ever asked for: a smaller limit does not complete a larger run.
        const isOpen = ({ recordId, repeat }: RowPlace) => !store.rows.isDone(recordId, repeat, again!.round);
        const isAllAsked = store.rows.countMissing(repeats) === 0 && again?.open.some(isOpen) !== true;
        return isAllAsked && (text === null || current.done === total);
      },
    },
    { ...options, readCache: readsCache(options) },
  );
  return withWarnings(result, [
    ...(options.limit !== undefined && options.limit < nSelected
      ? [limitWarning(options.limit, nSelected)]
      : []),
    ...stoppedWarnings(stoppedAgain),
  ]);
}

/** When the last session ended; null where the run does not say. */
function finishedAt(store: RunFile): string | null {
  const end = store.events.read().findLast(({ kind }) => kind === 'finished' || kind === 'judged');
  return end?.data.status === undefined ? null : new Date(end.time * 1000).toISOString();
}

function batchSizeOf({ answersSingly }: Backend, { batchSize }: RunIdentity): number {
  return answersSingly ? 1 : batchSize;
}

function emptyShard({ index, of }: Shard, nPlanned: number): KrisisError {
  return new KrisisError(
    `shard ${index}/${of} has no call to make: the run has fewer than ${of} calls (${nPlanned} records). Use fewer parts`,
    { code: 'ERR_NO_RECORDS', value: `${index}/${of}` },
  );
}

/** All records of the run are reported, also those that this session did not ask for. */
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
