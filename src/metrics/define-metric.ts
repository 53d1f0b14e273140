import { argumentError } from '../core/index.ts';
import type { ScoreOptions } from '../statistics/index.ts';
import type { Metric, MetricScore, MetricSpec, Rows } from './metric.ts';
import { Sample } from './sample.ts';
import { scoreMetrics } from './score-metrics.ts';

/** A metric that computes complete scores. */
export interface DefinedMetric extends Metric {
  compute(rows: Rows, options?: ScoreOptions): MetricScore;
}

/**
 * Defines a metric from a name and a formula. A `proportion` gets Wilson's interval; an `estimate` is resampled.
 *
 * @example
 * ```ts
 * const share = defineMetric({
 *   name: 'share_correct',
 *   estimate: (rows) => [...rows].filter((row) => row.correct).length / [...rows].length,
 * });
 * share.compute([evaluationResult({ prediction: 'a', groundTruth: 'a' }), evaluationResult({ prediction: 'b', groundTruth: 'a' })]).value // => 0.5
 * ```
 */
export function defineMetric(spec: MetricSpec): DefinedMetric {
  if (
    [spec.proportion, spec.estimate, spec.derived].filter((formula) => formula !== undefined).length !== 1
  ) {
    throw argumentError(`metric "${spec.name}": give either a proportion or an estimate`, spec);
  }
  const metric: DefinedMetric = {
    ...spec,
    compute: (rows, options) =>
      scoreMetrics(
        Sample.of(rows, { keep: neededKeys([metric], options), stratum: options?.stratum }),
        [metric],
        options,
      )[0]!,
  };
  return metric;
}

/** Metadata keys that these metrics and options read. */
export function neededKeys(metrics: readonly Metric[], options: ScoreOptions = {}): string[] {
  const keys = metrics.flatMap((metric) => metric.metadataKeys ?? []);
  return options.cluster === undefined || options.cluster === 'id' ? keys : [...keys, options.cluster];
}
