import { randomUUID } from 'node:crypto';
import { counted, KrisisError } from '../../core/index.ts';
import type { Backend } from '../../models/backend.ts';
import type { Judge } from '../../models/judge.ts';
import type { RunFile } from '../../store/run-file.ts';
import type { Sensitivity } from '../../suites/index.ts';
import type { CallContext } from '../call-request.ts';
import { isProtected } from '../egress.ts';
import { resolveConfig } from '../questions/judges.ts';
import { Interrupted } from '../run-stopped.ts';
import type { SessionContext } from '../step.ts';
import { BulkLane } from './bulk-lane.ts';
import type { BulkOptions } from './bulk-options.ts';
import { pauseBetween } from './waiting.ts';

/** What is asked or judged: a suite, or a run. */
interface Subject {
  readonly name: string;
  /** Whether judges read the answers. */
  readonly isJudged: boolean;
  readonly sensitivity?: Sensitivity | undefined;
}

/** Refuses what bulk jobs cannot do, before anything is asked. */
export function checkBulk(
  { name, isJudged, sensitivity }: Subject,
  backends: readonly (Backend | null)[],
  {
    bulk,
    keepText = false,
  }: { readonly bulk?: BulkOptions | undefined; readonly keepText?: boolean | undefined },
): void {
  if (bulk === undefined) return;
  for (const backend of backends)
    if (backend !== null && backend.bulk === undefined)
      throw new KrisisError(`${backend.name} has no bulk jobs; ask it by ordinary calls`, {
        code: 'ERR_BULK_UNAVAILABLE',
        value: backend.name,
      });
  const places = new Map<string, string | undefined>();
  // Jobs are kept by the name of the model: one address would get the questions, and the key, of the other.
  for (const { name: model, destination } of backends.filter((backend) => backend !== null)) {
    const known = places.get(model) ?? destination?.host;
    if (known !== destination?.host)
      throw new KrisisError(
        `${model} answers and judges at two addresses (${known}, ${destination?.host}), and bulk jobs are kept by model: judge the answers separately, later`,
        { code: 'ERR_BULK_UNAVAILABLE', value: model },
      );
    places.set(model, known);
  }
  if (bulk.detach && isJudged && isProtected({ sensitivity }) && !keepText)
    throw new KrisisError(
      `${name}: texts about protected questions are not stored, so they must be judged in the process that receives them: wait for the jobs, or keep texts`,
      { code: 'ERR_BULK_UNAVAILABLE', value: name },
    );
}

/** Refuses ordinary calls while requests to the same models are with a provider: they would be asked and paid for twice. */
export function refuseWhilePending(store: RunFile, backends: readonly (Backend | null)[]): void {
  const names = new Set(backends.map((backend) => backend?.name));
  const pending = store
    .bulk()
    .pending()
    .filter(({ lane }) => names.has(lane));
  if (pending.length === 0) return;
  const n = pending.reduce((sum, job) => sum + job.n, 0);
  throw new KrisisError(
    `${store.path}: ${n} requests of this run are with the provider in ${counted(pending.length, 'bulk job')}; asking them by ordinary calls would pay for them twice`,
    { code: 'ERR_BULK_PENDING', value: store.path },
  );
}

/** How the calls of a session are made, and its work done. */
export interface Lanes extends Pick<SessionContext, 'contextFor'> {
  /** Does the work as often as replies have to be waited for: once, where every call goes out by itself. Contexts are made before it. */
  walkThrough(walk: () => Promise<void>): Promise<'done' | 'waiting'>;
  /** In place of a walk, where nothing is left to ask: removes what is still with the provider. */
  removeLeft(): Promise<'done'>;
}

/** The lanes of a session, where it uses bulk jobs: one for each model that it asks. */
export function openLanes(
  store: RunFile,
  { contextFor, spending }: SessionContext,
  options: {
    readonly bulk?: BulkOptions | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly sensitivity: Sensitivity | undefined;
    readonly backend: Backend | null;
    readonly judges: readonly Judge[];
  },
): Lanes {
  const { bulk, signal } = options;
  if (bulk === undefined)
    return { contextFor, walkThrough: (walk) => walk().then(() => 'done'), removeLeft: async () => 'done' };
  const lanes = new Map<string, BulkLane>();
  const isAnswered = (backend: Backend) => {
    const configs = options.judges.flatMap((judge) =>
      judge.backend === backend ? resolveConfig(judge) : [],
    );
    return (configs.length === 0 ? [null] : configs).some((judge) => store.bulk().isAnswered(judge));
  };
  const laneOf = (backend: Backend): BulkLane => {
    const known = lanes.get(backend.name);
    if (known !== undefined) return known;
    const lane = new BulkLane(
      {
        ...bulk,
        backend,
        ledger: store.bulk(),
        runId: runIdOf(store),
        isProtected: isProtected(options),
        isTextStored: !isProtected(options) || store.manifest().keepText === true,
        spending,
        signal,
      },
      isAnswered(backend),
    );
    lanes.set(backend.name, lane);
    return lane;
  };
  return {
    contextFor: (backend): CallContext => ({ ...contextFor(backend), later: laneOf(backend) }),
    walkThrough: (walk) => inRounds([...lanes.values()], { ...bulk, signal }, walk),
    removeLeft: async () => {
      for (const { backend } of [options, ...options.judges]) if (backend !== null) laneOf(backend);
      for (const lane of lanes.values()) await lane.removeLeft();
      return 'done';
    },
  };
}

/** Files of the first version have no id. */
function runIdOf(store: RunFile): string {
  const known = store.manifest().runId;
  if (known !== null) return known;
  const made = randomUUID();
  store.setManifest({ runId: made });
  return made;
}

const DEFAULT_WAIT_SECONDS = 26 * 3600;
const DEFAULT_POLL_SECONDS = 30;
const MAX_POLL_SECONDS = 300;

/**
 * Walks through the work until nothing waits for a bulk job: every walk reads the replies that are here and gathers the requests that are not, then the jobs are waited for. Returns `waiting`
 * when requests are still with the provider: the same command continues.
 */
async function inRounds(
  lanes: readonly BulkLane[],
  options: BulkOptions & { readonly signal?: AbortSignal | undefined },
  walk: () => Promise<void>,
): Promise<'done' | 'waiting'> {
  const { signal, detach = false, waitSeconds = DEFAULT_WAIT_SECONDS } = options;
  const until = performance.now() + waitSeconds * 1000;
  const isWaiting = () => lanes.some((lane) => lane.isWaiting);
  const left = () => (isWaiting() ? 'waiting' : 'done');
  try {
    for (const lane of lanes) await lane.recover();
    for (;;) {
      await walk();
      // A walk that was broken off has not read all replies: they stay where they are.
      if (signal?.aborted) return left();
      for (const lane of lanes) await lane.finishWalk();
      if (!isWaiting()) return 'done';
      if (!(await oneEnded(lanes, { ...options, detach }, until))) return 'waiting';
    }
  } catch (error) {
    if (error instanceof Interrupted) return left();
    throw error;
  }
}

/** Waits until a job has ended; false when there is no more time. A command that leaves after submission still takes in jobs that have ended meanwhile. */
async function oneEnded(
  lanes: readonly BulkLane[],
  options: BulkOptions & { readonly signal?: AbortSignal | undefined },
  until: number,
): Promise<boolean> {
  for (const pause of pollPauses(options)) {
    let hasEnded = false;
    for (const lane of lanes) if (lane.isWaiting) hasEnded = (await lane.look()) || hasEnded;
    if (hasEnded) return true;
    if (options.detach || performance.now() + pause * 1000 > until) return false;
    await pauseBetween(pause, options.signal);
  }
  return false;
}

/** Pauses between two looks at the jobs. */
function* pollPauses({ pollSeconds = DEFAULT_POLL_SECONDS }: BulkOptions): Generator<number, never> {
  for (let pause = pollSeconds; ; pause = Math.min(Math.max(MAX_POLL_SECONDS, pollSeconds), pause * 1.5))
    yield pause;
}
