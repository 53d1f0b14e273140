import { randomUUID } from 'node:crypto';
import { KrisisError } from '../../core/errors.ts';
import { counted } from '../../core/wording.ts';
import type { Backend } from '../../models/backend.ts';
import type { RunFile } from '../../store/run-file.ts';
import { type HeldBudget, Interrupted, type Transport } from '../transport.ts';
import { BulkJobs } from './bulk-jobs.ts';
import type { BulkOptions } from './bulk-options.ts';
import { pauseBetween } from './retries.ts';

/** What is asked or judged: a suite, or a run. */
interface Subject {
  readonly name: string;
  /** Whether judges read the answers. */
  readonly isJudged: boolean;
  readonly isProtected: boolean;
}

/** Refuses what bulk jobs cannot do, before anything is asked. */
export function checkBulk(
  { name, isJudged, isProtected }: Subject,
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
  if (bulk.detach && isJudged && isProtected && !keepText)
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

/** Bulk jobs of the models of a session, one list of jobs for each model. */
export function bulkTransport(
  store: RunFile,
  options: BulkOptions & {
    readonly signal: AbortSignal | undefined;
    readonly spending: HeldBudget | undefined;
    readonly isProtected: boolean;
    /** The configurations of the judges that ask a model; empty for the model that answers. */
    readonly listJudges: (backend: Backend) => readonly string[];
  },
): Transport {
  const { spending, isProtected, listJudges } = options;
  const jobsByModel = new Map<string, BulkJobs>();
  const isAnswered = (backend: Backend) => {
    const configs = listJudges(backend);
    return (configs.length === 0 ? [null] : configs).some((judge) => store.bulk().isAnswered(judge));
  };
  const forModel = (backend: Backend): BulkJobs => {
    const known = jobsByModel.get(backend.name);
    if (known !== undefined) return known;
    const jobs = new BulkJobs(
      {
        ...options,
        backend,
        ledger: store.bulk(),
        runId: readRunId(store),
        isTextStored: !isProtected || store.manifest().keepText === true,
        spending,
      },
      isAnswered(backend),
    );
    jobsByModel.set(backend.name, jobs);
    return jobs;
  };
  return {
    forModel,
    runPasses: (pass) => runPasses([...jobsByModel.values()], options, pass),
    async removeLeft(backends) {
      for (const backend of backends) forModel(backend);
      for (const jobs of jobsByModel.values()) await jobs.removeLeft();
    },
  };
}

function readRunId(store: RunFile): string {
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
 * Makes passes until nothing waits for a bulk job: every pass reads the replies that are here and gathers the requests that are not, then the jobs are waited for. Returns `waiting`
 * when requests are still with the provider: the same command continues.
 */
async function runPasses(
  models: readonly BulkJobs[],
  options: BulkOptions & { readonly signal?: AbortSignal | undefined },
  pass: () => Promise<void>,
): Promise<'done' | 'waiting'> {
  const { signal, detach = false, waitSeconds = DEFAULT_WAIT_SECONDS } = options;
  const until = performance.now() + waitSeconds * 1000;
  const isWaiting = () => models.some((jobs) => jobs.isWaiting);
  const left = () => (isWaiting() ? 'waiting' : 'done');
  try {
    for (const jobs of models) await jobs.recover();
    for (;;) {
      await pass();
      // A pass that was broken off has not read all replies: they stay where they are.
      if (signal?.aborted) return left();
      for (const jobs of models) await jobs.finishPass();
      if (!isWaiting()) return 'done';
      if (!(await oneEnded(models, { ...options, detach }, until))) return 'waiting';
    }
  } catch (error) {
    if (error instanceof Interrupted) return left();
    throw error;
  }
}

/** Waits until a job has ended; false when there is no more time. A command that leaves after submission still takes in jobs that have ended meanwhile. */
async function oneEnded(
  models: readonly BulkJobs[],
  options: BulkOptions & { readonly signal?: AbortSignal | undefined },
  until: number,
): Promise<boolean> {
  for (const pause of pollPauses(options)) {
    let hasEnded = false;
    for (const jobs of models) if (jobs.isWaiting) hasEnded = (await jobs.look()) || hasEnded;
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
