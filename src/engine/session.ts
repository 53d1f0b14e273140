import { KrisisError } from '../core/errors.ts';
import type { RunStatus } from '../core/states.ts';
import type { Metric } from '../metrics/metric.ts';
import type { ScoringOptions } from '../metrics/score.ts';
import type { Backend } from '../models/backend.ts';
import type { Judge } from '../models/judge.ts';
import type { RunResult } from '../runs/run-result.ts';
import type { SealKey } from '../store/keys.ts';
import type { ProviderWaits } from '../store/provider-waits.ts';
import type { ResponseCache } from '../store/response-cache.ts';
import type { Run, RunUpdate } from '../store/run.ts';
import type { RunFile } from '../store/run-file.ts';
import type { Sensitivity, Suite } from '../suites/suite.ts';
import type { BulkOptions } from '../transports/bulk/bulk-options.ts';
import { bulkTransport } from '../transports/bulk/bulk-transport.ts';
import { DIRECT_TRANSPORT } from '../transports/direct/direct-transport.ts';
import { RunStopped, type Transport } from '../transports/transport.ts';
import { createCallContext } from './call-context.ts';
import { checkEgress, type Egress, isProtected } from './egress.ts';
import { nWorkers } from './pacing/concurrency-limit.ts';
import type { PacerOptions } from './pacing/pacer.ts';
import { type Progress, ProgressCounter } from './progress.ts';
import { resolveConfig } from './questions/judges.ts';
import { checkPrice, Spending } from './spending.ts';
import type { SessionContext, Step } from './step.ts';
import { runWorkers } from './workers.ts';

/** How calls are made, and what a run may do and cost. */
export interface SessionOptions extends Pick<PacerOptions, 'requestsPerMinute' | 'tokensPerMinute'> {
  /** Calls at the same time; `auto` grows while all is well and backs off when the provider says so. Default: `auto`. */
  readonly maxConcurrency?: number | 'auto' | undefined;
  /** Ask through the provider's bulk jobs: at half the price, within a day. Default: ordinary calls. */
  readonly bulk?: BulkOptions | undefined;
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
  { allowEgress, budgetUsd, signKey }: SessionOptions,
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
interface Session {
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
  readonly baselineSuite?: Suite | null;
  /** What the manifest gets besides how the session ended. */
  readonly manifest: RunUpdate;
  /** The model that is asked; null where stored answers are judged. */
  readonly backend: Backend | null;
  readonly judges: readonly Judge[];
  /** Begins the step that does what is missing; null where only bulk jobs are left to be removed. */
  readonly begin: ((session: SessionContext) => Step<unknown>) | null;
  /** Whether an error that stops the session leaves nothing undone. Default: none does. */
  isForgiven?(error: RunStopped): boolean;
  /** Whether the gates of a run that stops early are decided. Default: the run has none. */
  isDecided?(): boolean;
}

/** How the work of a session ended. */
interface Performed {
  readonly stopped: RunStopped | null;
  readonly isComplete: boolean;
  /** Whether requests are with a provider, so that the same command continues. */
  readonly isWaiting: boolean;
}

/** What is needed at the end only is prepared while the first calls are in flight: code that scores, and the suite's baselines. */
const PREPARE_RESULTS_AFTER_MS = 50;
const loadResults = () => import('../runs/finish-run.ts');
const scoreBaselines = async (suite: Suite) =>
  (await import('../analyses/baselines/suite-baselines.ts')).suiteBaselines(suite);

/**
 * One session at a run: does what is missing, scores, and writes down how it ended. Whatever ends it, what was finished is in the store, and the next session continues from there. Seconds
 * of all sessions add up from the events.
 */
export async function runSession(
  store: RunFile,
  session: Session,
  options: SessionOptions,
): Promise<RunResult> {
  const { isDone, begins, ends } = session;
  const earlier = { ...store.manifest() };
  // From here on a process that is killed leaves an interrupted run, whatever it was before.
  if (!isDone) {
    store.setManifest({ ...(ends === 'finished' && { status: 'running' }) });
    store.events.add(begins);
  }
  if (options.releaseUnsettled) store.calls.releaseUnsettled();
  if (options.ignoreWaits) store.wait.clear();
  const nCallsBefore = store.calls.countAnswering();
  const { context, asked } = createContext(store, session, options);
  const { counter } = context;

  const baselineSuite = !isDone && earlier.baselines === null ? session.baselineSuite : null;
  const started = performance.now();
  const preparing = setTimeout(() => {
    void loadResults();
    // A fault is thrown where they are used.
    if (baselineSuite) scoreBaselines(baselineSuite).catch(() => {});
  }, PREPARE_RESULTS_AFTER_MS);
  const performed = await performStep(store, session, context, options);
  clearTimeout(preparing);
  const seconds = {
    elapsed_seconds: isDone ? 0 : (performance.now() - started) / 1000,
    waited_seconds: counter.current.waitedSeconds,
  };
  const { stopped } = performed;
  const status = resolveStatus(performed, session.isDecided?.() ?? false);

  const { finishRun, sealedScores } = await loadResults();
  const { storeReport } = await import('../runs/report.ts');
  if (baselineSuite && status === 'complete')
    store.setManifest({ baselines: await scoreBaselines(baselineSuite) });
  const before = sumSeconds(store);
  const { result, stored } = finishRun(
    store,
    {
      status,
      stoppedBecause: stopped && `${stopped.fault}: ${stopped.message}`,
      batchSize: session.batchSize,
      callSize: session.callSize,
      maxConcurrency: options.maxConcurrency ?? 'auto',
      elapsedSeconds: before.elapsed_seconds + seconds.elapsed_seconds,
      waitedSeconds: before.waited_seconds + seconds.waited_seconds,
      simulated: session.simulated,
      nothingAsked:
        begins === 'continued' && ends === 'finished' && store.calls.countAnswering() === nCallsBefore,
    },
    {
      scoring: options.scoring,
      ownMetrics: options.ownMetrics,
      suiteDescription: session.suiteDescription,
    },
  );
  if (!isDone) {
    // Judging again does not decide whether the questions were all asked.
    const { status: wasStatus, stoppedBecause } = earlier;
    const judged = ends === 'judged' ? { status: wasStatus, stoppedBecause } : {};
    const workers = mergeWorkers(asked, earlier.workers);
    store.setManifest({ ...stored, ...session.manifest, ...judged, ...(workers.length > 0 && { workers }) });
    const { answers, judgements } = counter.current.askedAgain;
    const again = answers + judgements > 0 ? { asked_again: counter.current.askedAgain } : {};
    store.events.add(ends, { status, ...seconds, ...again });
  }
  if (store.hasUnsealedEntries()) {
    storeReport(store, result);
    store.seal({ scoresHash: sealedScores(result), krisisVersion: options.krisisVersion ?? null });
  }
  if (stopped === null || !store.isInMemory) return result;
  stopped.result = result;
  throw stopped;
}

/** What the steps share, and the backends whose calls they make. */
function createContext(
  store: RunFile,
  { total, done, sensitivity }: Session,
  options: SessionOptions,
): { readonly context: SessionContext; readonly asked: ReadonlySet<Backend> } {
  const { budgetUsd } = options;
  const { runId, keepText } = store.manifest();
  const counter = new ProgressCounter(total, done, options.onProgress);
  const spending = budgetUsd === undefined ? undefined : new Spending(budgetUsd, store.calls.spent());
  const asked = new Set<Backend>();
  const contextFor = (backend: Backend) => {
    asked.add(backend);
    if (backend.destination) store.flushCommits();
    if (options.ignoreWaits && backend.destination) options.waits?.clear(backend.destination.host);
    return createCallContext(
      {
        ...options,
        readsCache: options.readCache,
        maxConcurrency: options.maxConcurrency ?? 'auto',
        journal: store,
        runId,
        backend,
        spending,
        isProtected: isProtected({ sensitivity }),
        // As the run began: texts of some rows and not of others would be of no use.
        keepText: keepText === true,
      },
      counter,
    );
  };
  return { context: { counter, spending, contextFor }, asked };
}

/** Does the items of a step, several at a time, as often as replies of bulk jobs have to be waited for. */
async function performStep(
  store: RunFile,
  session: Session,
  context: SessionContext,
  options: SessionOptions,
): Promise<Performed> {
  const { signal, maxConcurrency = 'auto' } = options;
  const transport = openTransport(store, session, context, options);
  const contextFor = (backend: Backend) => ({
    ...context.contextFor(backend),
    transport: transport.forModel(backend),
  });
  let step: Step<unknown> | null = null;
  let isWaiting = false;
  try {
    if (session.begin === null) await transport.removeLeft(listBackends(session));
    else {
      const begun = session.begin({ ...context, contextFor });
      step = begun;
      const { places, ended } = begun;
      const halted = signal && ended ? AbortSignal.any([signal, ended]) : (signal ?? ended);
      const pass = async () => {
        await runWorkers(begun.pending(), nWorkers(maxConcurrency, places), halted, begun.perform);
      };
      isWaiting = (await transport.runPasses(pass)) === 'waiting';
    }
    return { stopped: null, isWaiting, isComplete: step?.isComplete() ?? true };
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
    if (session.isForgiven?.(error)) return { stopped: null, isWaiting, isComplete: true };
    options.onStopped?.(error);
    return { stopped: error, isWaiting, isComplete: false };
  } finally {
    step?.close?.();
  }
}

/** Calls through a queue are direct: the backend sends them to its workers. */
function openTransport(
  store: RunFile,
  { sensitivity, judges }: Session,
  { spending }: SessionContext,
  { bulk, signal }: SessionOptions,
): Transport {
  if (bulk === undefined) return DIRECT_TRANSPORT;
  const listJudges = (backend: Backend) =>
    judges.filter((judge) => judge.backend === backend).map(resolveConfig);
  return bulkTransport(store, {
    ...bulk,
    signal,
    spending,
    isProtected: isProtected({ sensitivity }),
    listJudges,
  });
}

function listBackends({ backend, judges }: Session): Backend[] {
  return [backend, ...judges.map((judge) => judge.backend)].filter((asked) => asked !== null);
}

/** The workers of all sessions, and where each sent its calls. */
function mergeWorkers(asked: Iterable<Backend>, earlier: Run['workers']): NonNullable<Run['workers']> {
  const all = [...(earlier ?? []), ...[...asked].flatMap(({ workers }) => workers?.() ?? [])];
  const places = all.map(({ name, provider, host, loopback }) => ({ name, provider, host, loopback }));
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

function resolveStatus({ stopped, isComplete, isWaiting }: Performed, isDecided: boolean): RunStatus {
  if (stopped !== null) return 'stopped';
  if (isComplete) return 'complete';
  if (isDecided) return 'stopped_early';
  return isWaiting ? 'waiting' : 'interrupted';
}

/** Seconds of all sessions so far. */
function sumSeconds(store: RunFile) {
  const sum = (key: 'elapsed_seconds' | 'waited_seconds') =>
    store.events.read().reduce((total, { data }) => total + Number(data[key] ?? 0), 0);
  return { elapsed_seconds: sum('elapsed_seconds'), waited_seconds: sum('waited_seconds') };
}
