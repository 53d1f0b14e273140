import { type EvaluationResult, SCORE_FAMILIES, type Score, type ScoreFamily } from '../core/index.ts';
import type { ScoreOptions } from '../statistics/index.ts';
import type { Sample } from './sample.ts';

/** A number, or the reason why there is none (`'no_rows'`, `'one_class'`, ...). */
export type Estimate = number | string;

/** A share of rows: its interval is Wilson's and needs no resampling. */
export interface Proportion {
  readonly successes: number;
  readonly n: number;
}

/** The value of a metric on a set of rows. */
export type MetricScore = Score;

/** Rows a metric can be computed on. */
export type Rows = Sample | readonly EvaluationResult[];

/**
 * A metric. Your own can be one small object; `defineMetric` fills in the rest.
 *
 * @example
 * ```ts
 * const hesitant: Metric = defineMetric({
 *   name: 'hesitant_answers',
 *   label: 'Answers below 0.5 confidence',
 *   proportion: (rows) => {
 *     const answers = [...rows].filter((row) => row.state === 'answered');
 *     return { successes: answers.filter((row) => (row.confidence ?? 1) < 0.5).length, n: answers.length };
 *   },
 * });
 * hesitant.compute([evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.3 })]).value // => 1
 * ```
 */
export interface Metric extends Partial<Omit<MetricSpec, 'name'>> {
  readonly name: string;
  compute(rows: Rows, options?: ScoreOptions): Pick<MetricScore, 'value'> & Partial<MetricScore>;
}

export const METRIC_FAMILIES = SCORE_FAMILIES;
export type MetricFamily = ScoreFamily;

/** What `defineMetric` needs: a name, and either a proportion or an estimate. */
export interface MetricSpec {
  readonly name: string;
  readonly label?: string;
  /** Under which heading a table puts it. */
  readonly family?: MetricFamily;
  /** A few words for a table: what the number says. */
  readonly reads?: string;
  /** Which way is good; null where neither is. */
  readonly better?: 'higher' | 'lower' | null;
  /** For shares of rows. The value is successes / n. */
  readonly proportion?: (sample: Sample) => Proportion;
  /** For everything else. Called once per resample, so keep to arithmetic on `sample.counts` and `sample.confidence`. */
  readonly estimate?: (sample: Sample) => Estimate;
  /** Why the value is null when n is 0. */
  readonly emptyReason?: string;
  /** Rows the number rests on; for a proportion its n. */
  readonly nEvaluated?: (sample: Sample) => number;
  /** Abstained rows among those it speaks of; all of them unless said otherwise. */
  readonly nAbstained?: (sample: Sample) => number;
  readonly details?: (sample: Sample, options: ScoreOptions) => Record<string, unknown>;
  /** Metadata keys that the metric reads. */
  readonly metadataKeys?: readonly string[];
  /**
   * What the number rests on: only on counts of rows by truth, answer, state, deferral label and stage; on those and the confidences of usable
   * rows; or on anything. The first two let leave-one-out treat equal rows once.
   */
  readonly restsOn?: 'counts' | 'confidence' | 'rows';
  /** True where the best and the worst that failed rows could have done are all right, all wrong, all abstained, or all as they should (not). */
  readonly bounded?: boolean;
  /** `none` for what has no interval (a curve); `few` for one too dear for the full number of resamples. */
  readonly resampling?: 'full' | 'few' | 'none';
}
