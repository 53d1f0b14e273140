import { KrisisError, type RunStatus } from '../core/index.ts';
import type { Metric, ScoringOptions } from '../metrics/index.ts';
import type { Backend } from '../models/backend.ts';
import type { RunResult } from '../runs/run-result.ts';
import type { SealKey } from '../store/keys.ts';
import type { ProviderWaits } from '../store/provider-waits.ts';
import type { ResponseCache } from '../store/response-cache.ts';
import type { Run, RunUpdate } from '../store/run.ts';
import type { RunFile } from '../store/run-file.ts';
import type { Sensitivity, Suite } from '../suites/index.ts';
import { createCallContext } from './call-context.ts';
import type { CallContext } from './call-request.ts';
import { checkEgress, type Egress, isProtected } from './egress.ts';
import type { PacerOptions } from './pacing/pacer.ts';
import { type Progress, ProgressCounter } from './progress.ts';
import { RunStopped } from './run-stopped.ts';
import { checkPrice, Spending } from './spending.ts';

/** How calls are made, and what a run may do and cost. */
export interface SittingOptions extends Pick<PacerOptions, 'requestsPerMinute' | 'tokensPerMinute'> {
  /** Calls at the same time; `auto` grows while all is well and backs off when the provider says so. Default: `auto`. */
  readonly maxConcurrency?: number | 'auto' | undefined;
  /** What the run may cost in all sessions, in US dollars. Default: no limit. */
  readonly budgetUsd?: number | undefined;
  /** Free what an earlier process set aside for calls whose outcome it never learned; they may have been charged. Default: false, it counts as spent. */
  readonly releaseUnsettled?: boolean | undefined;
  /** Providers that protected data may be sent to. Default: none. */
  readonly allowEgress?: readonly string[] | undefined;
  /** Replies that are known already; replies about protected suites are neither looked up nor kept. Default: none. */
  readonly cache?: ResponseCache | undefined;
  /** Whether replies may come from the cache; false only stores them there. Default: true, but false for a new run, with repeats and with conditions. */
  readonly readCache?: boolean | undefined;
  /** Whether texts of models about protected records are stored on purpose, with the values of the records blocked out. Default: false. */
  readonly keepText?: boolean | undefined;
  /** Waits that providers asked for, shared between runs. */
  readonly waits?: ProviderWaits | undefined;
  /** The longest wait in seconds that a provider may ask for; a longer one stops the run. Default: 3600. */
  readonly maxRetryAfterSeconds?: number | undefined;
  /** Forget what providers asked earlier processes to wait. Default: false. */
  readonly ignoreWaits?: boolean | undefined;
  /** How rows are scored. Default: as the task says. */
  readonly scoring?: ScoringOptions | undefined;
  /** Metrics beside the bundle. Default: none. */
  readonly ownMetrics?: readonly Metric[] | undefined;
  /** The version of the program, written into the manifest and into the seal. Default: null. */
  readonly krisisVersion?: string | undefined;
  /** An Ed25519 private key that signs the seal at the end: see `readSigningKey`. Default: the seal is not signed. */
  readonly signKey?: SealKey | undefined;
  /** Stops the run softly: calls in flight are finished, no new one is made. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the error that stopped the run; its `cause` is what the backend threw (of protected suites, without its text). */
  readonly onStopped?: ((stopped: RunStopped) => void) | undefined;
  /** Called whenever a row or a wait changes the counts. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Checks before anything is opened that data may leave the machine, that a budget can be kept, and that the key can sign. Returns where each backend's data go. */
export function checkBackends(
  sensitivity: Sensitivity | undefined,
  backends: readonly (Backend | null)[],
  { allowEgress, budgetUsd, signKey }: SittingOptions,
  isBulk = false,
): (Egress | null)[] {
  if (signKey !== undefined && (signKey.type !== 'private' || signKey.asymmetricKeyType !== 'ed25519'))
    throw new KrisisError('the key to sign the run with is not an Ed25519 private key', {
      code: 'ERR_SIGN_KEY',
    });
  const egress = backends.map((backend) =>
    backend === null ? null : checkEgress({ sensitivity }, backend, allowEgress, isBulk),
  );
  if (budgetUsd !== undefined) for (const backend of backends) if (backend !== null) checkPrice(backend);
  return egress;
}

/** What a session has to do. */
interface Work {
  /** `continued` for a run that was there before. */
  readonly begins: 'started' | 'continued';
  readonly ends: 'finished' | 'judged';
  /** True when there is nothing to do: then the run is scored, and nothing is written. */
  readonly isDone: boolean;
  readonly total: number;
  readonly done: number;
  readonly sensitivity: Sensitivity | undefined;
  readonly batchSize: number;
  readonly callSize?: number;
  readonly simulated: boolean;
  readonly suiteDescription?: RunResult['suiteDescription'];
  /** The suite whose baselines the file gets when the run is complete. Default: none. */
  readonly baselinesOf?: Suite | null;
  /** What the manifest gets besides how the session ended. */
  readonly manifest: RunUpdate;
  /** Does what is missing. `waiting` where requests are with a provider, and the same command continues. */
  perform(desk: Desk): Promise<'done' | 'waiting'>;
  /** Whether the gates of a run that stops early are decided. Default: the run has none. */
  isDecided?(): boolean;
  /** Whether all of it was done. */
  isComplete(counter: ProgressCounter): boolean;
}

/** What the steps of a session share. */
export interface Desk {
  readonly counter: ProgressCounter;
  /** What the run may still cost; undefined without a budget. */
  readonly spending: Spending | undefined;
  /** How calls to a backend are made: each backend has its own pace. */
  contextFor(backend: Backend): CallContext;
}

/** Scores are needed at the end only: their code is loaded while the first calls are in flight. */
const LOAD_RESULTS_AFTER_MS = 50;
const loadResults = () => import('../runs/finish-run.ts');

/**
 * One session at a run: does what is missing, scores, and writes down how it ended. Whatever ends it, what was finished is in the store, and the next session continues from there. Seconds
 * of all sessions add up from the events.
 */
export async function sit(store: RunFile, work: Work, options: SittingOptions): Promise<RunResult> {
  const { maxConcurrency = 'auto', budgetUsd } = options;
  const earlier = { ...store.manifest() };
  // From here on a process that is killed leaves an interrupted run, whatever it was before.
  if (!work.isDone) {
    store.setManifest({ ...(work.ends === 'finished' && { status: 'running' }) });
    store.events.add(work.begins);
  }
  if (options.releaseUnsettled) store.calls.releaseUnsettled();
  if (options.ignoreWaits) store.wait.clear();
  const counter = new ProgressCounter(work.total, work.done, options.onProgress);
  const spending = budgetUsd === undefined ? undefined : new Spending(budgetUsd, store.calls.spent());
  const { keepText } = earlier;
  const nCallsBefore = store.calls.countAnswering();
  const asked = new Set<Backend>();
  const contextFor = (backend: Backend) => {
    asked.add(backend);
    if (backend.destination) store.syncCommits();
    if (options.ignoreWaits && backend.destination) options.waits?.clear(backend.destination.host);
    return createCallContext(
      {
        ...options,
        readsCache: options.readCache,
        maxConcurrency,
        journal: store,
        runId: earlier.runId,
        backend,
        spending,
        isProtected: isProtected({ sensitivity: work.sensitivity }),
        // As the run began: texts of some rows and not of others would be of no use.
        keepText: keepText === true,
      },
      counter,
    );
  };
  const started = performance.now();
  const loading = setTimeout(loadResults, LOAD_RESULTS_AFTER_MS);
  let isWaiting = false;
  const stopped = await work.perform({ counter, spending, contextFor }).then(
    (ended) => {
      isWaiting = ended === 'waiting';
      return null;
    },
    (error: unknown) => {
      if (!(error instanceof RunStopped)) throw error;
      options.onStopped?.(error);
      return error;
    },
  );
  clearTimeout(loading);
  const seconds = {
    elapsed_seconds: work.isDone ? 0 : (performance.now() - started) / 1000,
    waited_seconds: counter.current.waitedSeconds,
  };
  const before = secondsOf(store);
  const status = stopped ? 'stopped' : endOf(work, counter, isWaiting);
  const stoppedBecause = stopped && `${stopped.fault}: ${stopped.message}`;
  const { finishRun, sealedScores } = await loadResults();
  const { storeReport } = await import('../runs/report.ts');
  const { suiteBaselines } = await import('../analyses/baselines/suite-baselines.ts');
  if (work.baselinesOf && !work.isDone && status === 'complete' && earlier.baselines === null)
    store.setManifest({ baselines: await suiteBaselines(work.baselinesOf) });
  const { result, stored } = finishRun(
    store,
    {
      status,
      stoppedBecause,
      batchSize: work.batchSize,
      callSize: work.callSize,
      maxConcurrency,
      elapsedSeconds: before.elapsed_seconds + seconds.elapsed_seconds,
      waitedSeconds: before.waited_seconds + seconds.waited_seconds,
      simulated: work.simulated,
      nothingAsked:
        work.begins === 'continued' &&
        work.ends === 'finished' &&
        store.calls.countAnswering() === nCallsBefore,
    },
    {
      scoring: options.scoring,
      ownMetrics: options.ownMetrics,
      suiteDescription: work.suiteDescription,
    },
  );
  if (!work.isDone) {
    // Judging again does not decide whether the questions were all asked.
    const { status: wasStatus, stoppedBecause } = earlier;
    const judged = work.ends === 'judged' ? { status: wasStatus, stoppedBecause } : {};
    const workers = workersOf(asked, earlier.workers);
    store.setManifest({ ...stored, ...work.manifest, ...judged, ...(workers.length > 0 && { workers }) });
    const { answers, judgements } = counter.current.askedAgain;
    const again = answers + judgements > 0 ? { asked_again: counter.current.askedAgain } : {};
    store.events.add(work.ends, { status, ...seconds, ...again });
  }
  if (store.hasUnsealedEntries()) {
    storeReport(store, result);
    store.seal({ scoresHash: sealedScores(result), krisisVersion: options.krisisVersion ?? null });
  }
  if (stopped === null || !store.isInMemory) return result;
  stopped.result = result;
  throw stopped;
}

/** The workers of all sessions, and where each sent its calls. */
function workersOf(asked: Iterable<Backend>, earlier: Run['workers']): NonNullable<Run['workers']> {
  const all = [...(earlier ?? []), ...[...asked].flatMap(({ workers }) => workers?.() ?? [])];
  const places = all.map(({ name, provider, host, loopback }) => ({ name, provider, host, loopback }));
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

/** How a session ended that nothing stopped. */
function endOf(work: Work, counter: ProgressCounter, isWaiting: boolean): RunStatus {
  if (work.isComplete(counter)) return 'complete';
  if (work.isDecided?.()) return 'stopped_early';
  return isWaiting ? 'waiting' : 'interrupted';
}

/** Seconds of all sessions so far. */
function secondsOf(store: RunFile) {
  const sum = (key: 'elapsed_seconds' | 'waited_seconds') =>
    store.events.read().reduce((total, { data }) => total + Number(data[key] ?? 0), 0);
  return { elapsed_seconds: sum('elapsed_seconds'), waited_seconds: sum('waited_seconds') };
}
