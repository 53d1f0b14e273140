import { existsSync } from 'node:fs';
import { KrisisError } from '../core/index.ts';
import type { Metric, ScoringOptions } from '../metrics/index.ts';
import type { Backend } from '../models/index.ts';
import type { Extras, RunResult } from '../results/index.ts';
import {
  checkSameRun,
  freePath,
  type ManifestUpdate,
  type ProviderWaits,
  type ResponseCache,
  RunFile,
  type RunIdentity,
  runIdentity,
  runPath,
} from '../store/index.ts';
import { stratumOf } from '../suites/domains/index.ts';
import { descriptionObject, type Suite, type SuiteDescription, stratifiedOrder } from '../suites/index.ts';
import { RunStopped } from './call.ts';
import { checkEgress, isProtected } from './egress.ts';
import { execute, type RecordSource } from './execute.ts';
import type { Progress } from './progress.ts';
import { withArm } from './select-arm.ts';
import { checkPrice, Spending } from './spending.ts';

export interface RunToFileOptions {
  readonly suite: Suite;
  readonly backend: Backend;
  readonly krisisVersion: string;
  readonly seed: number;
  readonly batchSize: number;
  readonly maxConcurrency: number | 'auto';
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  /** What the run may cost in all, in US dollars. */
  readonly budgetUsd?: number | undefined;
  /** Providers that protected data may be sent to. */
  readonly allowEgress?: readonly string[] | undefined;
  /** Replies that are known already; nothing of a protected suite is looked up or kept. */
  readonly cache?: ResponseCache | undefined;
  readonly waits?: ProviderWaits | undefined;
  readonly repeats?: number;
  readonly arm?: string | undefined;
  /** The first this many of a seeded, stratified order. */
  readonly limit?: number | undefined;
  /** The run file; without it, one under `.krisis/runs`. */
  readonly path?: string | undefined;
  /** Start anew instead of going on with an earlier run. */
  readonly anew?: boolean | undefined;
  readonly scoring?: ScoringOptions;
  /** Metrics of one's own, beside the bundle. */
  readonly ownMetrics?: readonly Metric[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Told when the file is known, before the first call. */
  readonly onStart?: ((path: string, continued: boolean) => void) | undefined;
}

const SCORER_AFTER_MS = 50;
const loadScorer = () => import('../results/index.ts');

type RunStatus = 'complete' | 'interrupted' | 'stopped';

/** The result of a run in a file. */
export type FileRun = RunResult & { readonly path: string };

/**
 * Runs a suite against a backend into a run file, or goes on with the one there is. Whatever ends it, what is finished is in the file; the same options again continue it and,
 * when nothing is left to do, change nothing.
 */
export async function runToFile(options: RunToFileOptions): Promise<FileRun> {
  const { suite, backend, batchSize, repeats = 1 } = options;
  const task = withArm(suite.task, options.arm);
  const egress = checkEgress(suite, backend, options.allowEgress);
  if (options.budgetUsd !== undefined) checkPrice(backend);
  const description = await suite.describe();
  const identity = runIdentity({ suiteHash: description.hash, task, backend, batchSize, repeats });
  const { file, continued } = openRun(identity, options);
  try {
    options.onStart?.(file.path, continued);
    const records = await storeRecords(file, options);
    const earlier = file.manifest();
    const before = earlier.elapsed_seconds ?? 0;
    const waitedBefore = Number((earlier.extras as Partial<Extras> | undefined)?.waited_seconds ?? 0);
    const wasComplete = earlier.status === 'complete' && file.nOpen(repeats) === 0;
    // So that a run that is killed now is not taken for the complete one it was before.
    if (!wasComplete) file.setManifest({ status: 'running' });
    const started = performance.now();
    // Needed at the end only: loaded while the first calls are under way.
    const loading = setTimeout(loadScorer, SCORER_AFTER_MS);
    let status: RunStatus = 'complete';
    let stoppedBecause: string | null = null;
    let waited = 0;
    const onProgress = (progress: Progress) => {
      waited = progress.waitedSeconds;
      options.onProgress?.(progress);
    };
    try {
      const spending =
        options.budgetUsd === undefined
          ? undefined
          : new Spending(options.budgetUsd, file.totals().costUsd ?? 0);
      await execute({
        ...options,
        onProgress,
        records,
        task,
        journal: file,
        repeats,
        spending,
        isProtected: isProtected(suite),
      });
      // Of all that was ever asked for: a smaller limit does not complete a larger run.
      if (file.nOpen(repeats) > 0) status = 'interrupted';
    } catch (error) {
      if (!(error instanceof RunStopped)) throw error;
      status = 'stopped';
      stoppedBecause = `${error.fault}: ${error.message}`;
    }
    const elapsedSeconds = wasComplete ? before : before + (performance.now() - started) / 1000;
    clearTimeout(loading);
    const { finishRun } = await loadScorer();
    const { result, stored } = finishRun(
      file,
      {
        status,
        stoppedBecause,
        batchSize,
        maxConcurrency: options.maxConcurrency,
        elapsedSeconds,
        waitedSeconds: waitedBefore + waited,
        simulated: backend.simulated ?? false,
      },
      { scoring: options.scoring, ownMetrics: options.ownMetrics, suiteDescription: description },
    );
    if (!wasComplete) file.setManifest({ ...stored, n_selected: records.length });
    return result as FileRun;
  } finally {
    file.close();
  }

  function openRun(
    wanted: RunIdentity,
    { path, anew }: RunToFileOptions,
  ): { file: RunFile; continued: boolean } {
    let target = path ?? runPath(wanted);
    if (anew && path === undefined) target = freePath(target);
    const exists = existsSync(target);
    if (anew && exists)
      throw new KrisisError(`${target}: exists already; a new run needs another --run FILE`, {
        value: target,
      });
    const opened = RunFile.write(target);
    try {
      const fresh = opened.isNew();
      if (!fresh) checkSameRun(target, opened.manifest().identity, wanted);
      if (fresh) opened.setManifest({ ...firstManifest(wanted, description, options), egress });
      return { file: opened, continued: exists && !fresh };
    } catch (error) {
      opened.close();
      throw error;
    }
  }
}

/**
 * Puts the records into the file, and gives back those that are asked, in a seeded and stratified order, so that every limit is a fair sample and a larger one goes on from a smaller.
 * From a suite that streams, nothing but ids and labels stays in memory: features are read from the file when they are asked about. Features of a protected suite are not in the file,
 * so they stay in memory.
 */
async function storeRecords(file: RunFile, { suite, limit, seed }: RunToFileOptions): Promise<RecordSource> {
  const mayStore = !isProtected(suite);
  const inMemory = suite.stream === undefined || !mayStore || !canStream(suite) ? await suite.load() : null;
  const ids: string[] = [];
  const labels: string[] = [];
  const entries = function* () {
    for (const record of inMemory ?? suite.stream!()) {
      yield [ids.length, record] as const;
      ids.push(record.id);
      labels.push(String(record.label));
    }
  };
  file.setRecords(entries(), mayStore, limit === undefined);
  const places = stratifiedOrder(
    ids.map((_, place) => place),
    (place) => labels[place]!,
    seed,
  );
  const chosen = limit === undefined ? places : places.slice(0, limit);
  if (file.nRecords() < ids.length) file.select(chosen);
  return {
    length: chosen.length,
    id: (index) => ids[chosen[index]!]!,
    features: (index) =>
      inMemory === null ? file.features(chosen[index]!)! : inMemory[chosen[index]!]!.features,
  };
}

function canStream(suite: Suite): boolean {
  return suite.canStream?.() ?? true;
}

function firstManifest(
  identity: RunIdentity,
  description: SuiteDescription,
  { suite, backend, krisisVersion, seed, arm }: RunToFileOptions,
): ManifestUpdate {
  const task = withArm(suite.task, arm);
  return {
    identity,
    krisis_version: krisisVersion,
    created_at: new Date().toISOString(),
    status: 'running',
    suite: descriptionObject(description),
    suite_name: suite.name,
    sensitivity: description.sensitivity,
    task: {
      id: task.id,
      labels: task.labels,
      positive_label: task.positiveLabel ?? null,
      ordered: task.ordered,
      pack: task.pack ?? null,
      stratum: stratumOf(task),
    },
    arm: task.defaultArm,
    instructions: task.arms[task.defaultArm]!.instructions,
    primary_endpoint: task.primaryEndpoint,
    model: backend.name,
    simulated: backend.simulated ?? false,
    parameters: backend.parameters ?? {},
    seed,
  };
}
