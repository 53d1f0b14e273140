import { camelCase } from '../core/codec.ts';
import { argumentError } from '../core/errors.ts';
import { didYouMean } from '../core/near-names.ts';
import type { Metric } from '../metrics/metric.ts';
import type { ScoringOptions } from '../metrics/score.ts';
import type { Backend } from '../models/backend.ts';
import type { BenchmarkResult } from '../runs/run-result.ts';
import { PROCESS_WAITS } from '../store/provider-waits.ts';
import type { RecordInput } from '../suites/define-suite.ts';
import type { Suite, SuiteDescription } from '../suites/suite.ts';
import type { AnyTask } from '../suites/task.ts';
import { runInMemory } from './run.ts';
import type { RunOptions } from './run-options.ts';

/** How a benchmark runs and scores; every field has a default. */
export interface BenchmarkOptions
  extends Omit<ScoringOptions, 'metrics'>,
    Pick<RunOptions, 'batchSize' | 'requestsPerMinute' | 'tokensPerMinute' | 'budgetUsd' | 'allowEgress'>,
    Pick<RunOptions, 'repeats' | 'arm' | 'judge' | 'passes'> {
  /** These metrics in place of the default bundle; the primary endpoint is computed in any case. Default: the bundle of the task. */
  readonly metrics?: readonly Metric[];
  /** These metrics beside the bundle. Default: none. */
  readonly extraMetrics?: readonly Metric[];
  /** Calls in flight at the same time; `auto` learns the limit. Default: 1. */
  readonly maxConcurrency?: number | 'auto';
}

/** One run of a benchmark. */
export interface BenchmarkRunOptions extends Pick<RunOptions, 'signal' | 'onProgress'> {
  /** Records in place of the suite's own. Default: those of the suite. */
  readonly records?: readonly RecordInput[];
  /** A description in place of the suite's own. Default: that of the suite. */
  readonly suiteDescription?: Partial<SuiteDescription> | Record<string, unknown>;
}

const OPTIONS: Readonly<Record<keyof BenchmarkOptions, true>> = {
  metrics: true,
  extraMetrics: true,
  batchSize: true,
  maxConcurrency: true,
  requestsPerMinute: true,
  tokensPerMinute: true,
  budgetUsd: true,
  allowEgress: true,
  repeats: true,
  arm: true,
  judge: true,
  passes: true,
  bundle: true,
  task: true,
  positiveLabel: true,
  labels: true,
  taskLabels: true,
  labelFromValues: true,
  targetPrevalence: true,
  deferralCosts: true,
  deferralReasons: true,
  groupBy: true,
  urgencyAsked: true,
  actLabels: true,
  level: true,
  resamples: true,
  seed: true,
  cluster: true,
  stratify: true,
  breakdown: true,
  nullBand: true,
  stratum: true,
};
const RUN_OPTIONS: Readonly<Record<keyof BenchmarkRunOptions, true>> = {
  records: true,
  suiteDescription: true,
  signal: true,
  onProgress: true,
};

/** An option that is not known would be ignored; names of the Python framework get theirs in camelCase. */
function refuseUnknown(place: string, options: object, known: Readonly<Record<string, true>>): void {
  const unknown = Object.keys(options).find((key) => !Object.hasOwn(known, key));
  if (unknown === undefined) return;
  const names = Object.keys(known);
  const camel = camelCase(unknown);
  throw argumentError(
    `${place}: no option "${unknown}"; ${names.includes(camel) ? `write ${camel}` : didYouMean(camel, names)}`,
    unknown,
  );
}

/**
 * Runs a suite against a backend in memory: {@link run} without a run file.
 *
 * @example
 * ```ts
 * const suite = defineSuite({
 *   name: 'demo/yes-no',
 *   labels: ['yes', 'no'],
 *   instructions: 'Yes or no?',
 *   load: () => ['yes', 'no'].map((label) => ({ id: label, features: {}, label, metadata: {} })),
 * });
 * const backend = defineBackend({ name: 'always-yes', evaluate: () => ({ prediction: 'yes', abstained: false, confidence: 0.5 }) });
 * const result = await new Benchmark(suite, backend, { batchSize: 2 }).run();
 * result.metricScores.find((score) => score.name === 'accuracy')!.value // => 0.5
 * result.extras.n_api_batches // => 2
 * ```
 */
export class Benchmark {
  readonly #suite: Suite<AnyTask>;
  readonly #backend: Backend;
  readonly #options: BenchmarkOptions;

  constructor(suite: Suite<AnyTask>, backend: Backend, options: BenchmarkOptions = {}) {
    refuseUnknown('new Benchmark(suite, backend, options)', options, OPTIONS);
    this.#suite = suite;
    this.#backend = backend;
    this.#options = options;
  }

  /** @throws RunStopped when no call can succeed (key, quota, or the first 20 calls fail alike): its `result` holds what was finished. */
  async run(options: BenchmarkRunOptions = {}): Promise<BenchmarkResult> {
    if (Array.isArray(options))
      throw argumentError('run(records): expected an object of options: run({ records })', options);
    refuseUnknown('run(options)', options, RUN_OPTIONS);
    const { batchSize, maxConcurrency = 1, requestsPerMinute, tokensPerMinute, ...rest } = this.#options;
    const { extraMetrics, budgetUsd, allowEgress, repeats, arm, judge, passes, ...scoring } = rest;
    return runInMemory({
      suite: this.#suite,
      backend: this.#backend,
      waits: PROCESS_WAITS,
      batchSize,
      maxConcurrency,
      requestsPerMinute,
      tokensPerMinute,
      budgetUsd,
      allowEgress,
      repeats,
      arm,
      judge,
      passes,
      scoring,
      ownMetrics: extraMetrics,
      ...options,
    });
  }
}
