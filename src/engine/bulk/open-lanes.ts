import { KrisisError } from '../../core/index.ts';
import type { Backend } from '../../models/index.ts';
import type { BulkJob, RunFile } from '../../store/index.ts';
import { type AnyTask, isQuestionSuite, type Suite } from '../../suites/index.ts';
import { isProtected } from '../egress.ts';
import type { Spending } from '../spending.ts';
import { BulkLane, type BulkOptions } from './bulk-lane.ts';

/** Refuses what bulk jobs cannot do, before anything is opened. */
export function checkBulk(
  suite: Suite<AnyTask>,
  backends: readonly (Backend | null)[],
  {
    bulk,
    keepText = false,
  }: { readonly bulk?: BulkOptions | undefined; readonly keepText?: boolean | undefined },
): void {
  for (const backend of backends)
    if (backend !== null && backend.bulk === undefined)
      throw new KrisisError(`${backend.name} has no bulk jobs; ask it by ordinary calls`, {
        code: 'ERR_BULK_UNAVAILABLE',
        value: backend.name,
      });
  if (bulk?.detach && isQuestionSuite(suite) && isProtected(suite) && !keepText)
    throw new KrisisError(
      `${suite.name}: answers to protected questions are not stored, so they must be judged in the process that receives them: wait for the jobs, or keep texts`,
      { code: 'ERR_BULK_UNAVAILABLE', value: suite.name },
    );
}

/** The jobs whose results are still to be taken in. */
export function pendingJobs(store: RunFile): BulkJob[] {
  return store
    .bulk()
    .jobs()
    .filter(({ state }) => PENDING.includes(state));
}

/** Refuses ordinary calls while requests of the run are with a provider: they would be asked and paid for twice. */
export function refuseWhilePending(store: RunFile): void {
  const pending = pendingJobs(store);
  if (pending.length === 0) return;
  const n = pending.reduce((sum, job) => sum + job.n, 0);
  throw new KrisisError(
    `${store.path}: ${n} requests of this run are with the provider in ${pending.length} bulk job${pending.length === 1 ? '' : 's'}; asking them by ordinary calls would pay for them twice`,
    { code: 'ERR_BULK_PENDING', value: store.path },
  );
}

const PENDING: readonly string[] = ['intended', 'uploaded', 'submitted', 'ended'];

/** The lanes of a run: one for the model, and one for each judge with a model. */
export function openLanes(
  store: RunFile,
  bulk: BulkOptions,
  spending: Spending | undefined,
  { suite, signal }: { readonly suite: Suite<AnyTask>; readonly signal?: AbortSignal | undefined },
) {
  const lanes = new Map<string, BulkLane>();
  const hasAnswers = store.totals().calls > 0;
  return {
    of(backend: Backend): BulkLane {
      const known = lanes.get(backend.name);
      if (known !== undefined) return known;
      const lane = new BulkLane(
        {
          ...bulk,
          backend,
          ledger: store.bulk(),
          runId: store.manifest().run_id!,
          isProtected: isProtected(suite),
          spending,
          signal,
        },
        hasAnswers,
      );
      lanes.set(backend.name, lane);
      return lane;
    },
    all: (): readonly BulkLane[] => [...lanes.values()],
  };
}
