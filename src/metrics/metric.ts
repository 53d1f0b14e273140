import { pick } from '../core/collections.ts';
import type { EvaluationResult } from '../core/evaluation-result.ts';
import { type Bounds, FACTS, type Interval, type MetricFacts, type Score } from '../core/score.ts';
import type { ScoreFamily } from '../core/score-families.ts';
import type { ScoreOptions } from '../statistics/score-options.ts';
import type { Columns } from './columns.ts';
import type { Sample } from './sample.ts';

/** A value, or the reason why there is none (`'no_rows'`, `'one_class'`, ...). */
export type Estimate = number | string;

/** The value of an estimate; null where it is a reason. */
export function numberOrNull(estimate: Estimate): number | null {
  return typeof estimate === 'number' ? estimate : null;
}

/** Why a metric without rows has no value. */
export function whyEmpty(
  { emptyReason = 'no_rows' }: Pick<MetricSpec, 'emptyReason'>,
  sample: Sample,
): string {
  return typeof emptyReason === 'string' ? emptyReason : emptyReason(sample);
}

/** The point estimate of one metric, or the reason why there is none. */
export function estimateMetric(metric: Metric, sample: Sample, options: ScoreOptions = {}): Estimate {
  if (metric.proportion) {
    const { successes, n } = metric.proportion(sample);
    return n === 0 ? whyEmpty(metric, sample) : successes / n;
  }
  const estimate = metric.estimate
    ? metric.estimate(sample, options)
    : (metric.compute(sample).value ?? 'undefined');
  return typeof estimate === 'number' && !Number.isFinite(estimate) ? 'not_finite' : estimate;
}

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
  /** The name under which scores, gates and JSON know it: snake_case. */
  readonly name: string;
  /** Scores a set of rows. */
  compute(rows: Rows, options?: ScoreOptions): Pick<MetricScore, 'value'> & Partial<MetricScore>;
}

/** A metric's definition: a name, and a proportion, an estimate, or the metric it is derived from. */
export interface MetricSpec extends Partial<Omit<MetricFacts, 'constantPolicies'>> {
  /** The name in files and gates, in snake_case. */
  readonly name: string;
  /** The name in reports. Default: `name`. */
  readonly label?: string;
  /** The heading under which tables list it. Default: `custom`. */
  readonly family?: ScoreFamily;
  /** What the number says, in a few words for a table. Default: ''. */
  readonly reads?: string;
  /** How it is computed, for the reference of metrics. Default: not said. */
  readonly formula?: string;
  /** Lowest and highest value in words: `-1 to 1`. Default: `0 to 1` for a proportion, else not said. */
  readonly range?: string;
  /** When it says less, or something else, than it seems to. Default: not said. */
  readonly misleads?: string;
  /** For shares of rows. The value is successes / n. */
  readonly proportion?: ((sample: Sample) => Proportion) | undefined;
  /** Whether an estimate is read as a share all the same: differences are in points. Default: false. */
  readonly isShare?: boolean;
  /** For everything else. It runs once per resample, so prefer arithmetic on `sample.counts` and `sample.confidence`. */
  readonly estimate?: ((sample: Sample, options: ScoreOptions) => Estimate) | undefined;
  /** For an estimate whose interval has a formula: the interval, or the reason why there is none. Default: it is resampled. */
  readonly interval?: ((sample: Sample, options: ScoreOptions) => Interval | string) | undefined;
  /** For what follows from the complete score of another metric, interval included. It has no interval of its own. */
  readonly derived?:
    | {
        readonly from: Metric;
        readonly score: (
          from: MetricScore,
        ) => Pick<MetricScore, 'value' | 'nEvaluated'> & Partial<MetricScore>;
      }
    | undefined;
  /** The reason for a null value when n is 0. Default: `no_rows`. */
  readonly emptyReason?: string | ((sample: Sample) => string);
  /** The rows an estimate rests on; a proportion rests on its n. Default: all scored rows. */
  readonly nEvaluated?: ((sample: Sample) => number) | undefined;
  /** Why a gate must not rest on this value; null where it may. Default: gates accept it. */
  readonly ungateable?: ((sample: Sample) => string | null) | undefined;
  /** The abstained rows among those the metric is about. Default: all abstained rows. */
  readonly nAbstained?: ((sample: Sample) => number) | undefined;
  /** More numbers for the JSON report. Default: {}. */
  readonly details?: ((sample: Sample, options: ScoreOptions) => Record<string, unknown>) | undefined;
  /** Metadata keys that the metric reads. Default: none. */
  readonly metadataKeys?: readonly string[];
  /**
   * What the value rests on: only counts of rows by truth, answer, state, deferral label and stratum; those and the confidences of usable
   * rows; or anything. With the first two, the jackknife computes equal rows once. Default: `rows`.
   */
  readonly restsOn?: 'counts' | 'confidence' | 'rows';
  /** True where the extremes over failed rows are all right, all wrong, all abstained, all as they should, or all as they should not. Default: false, no bounds. */
  readonly bounded?: boolean;
  /** Whether its denominator is a property of the records, whatever the model does: only then can it be claimed of exactly the rows of a suite, and be paired. Default: false. */
  readonly fixedDenominator?: boolean;
  /** Whether a row counts depends on other rows, so that the share is no sum over rows. Default: false. */
  readonly acrossRows?: boolean;
  /** Whether groups of records are compared by it. Default: false. */
  readonly comparesGroups?: boolean;
  /** Whether it means something else under another rule for missed emergencies. Default: false. */
  readonly dependsOnEmergencyRule?: boolean;
  /** Whether it is over answered rows only: its denominator depends on the model. Default: false. */
  readonly answeredOnly?: boolean;
  /** Whether a model can improve it by staying silent: a gate on it needs a condition on coverage beside it. Default: as `answeredOnly`. */
  readonly metBySilence?: boolean;
  /** Which limits make a condition on it one on coverage, which silence does not meet. Default: none. */
  readonly coverage?: 'above_zero' | 'above_must_defer_share' | 'below_one';
  /** Whether it counts a right deferral as a mistake, so that where deferral labels exist neither direction is better. Default: false. */
  readonly ignoresDeferral?: boolean;
  /** What always and never deferring score, which follows from the labels alone. Default: not known. */
  readonly constantPolicies?: ((sample: Sample) => MetricFacts['constantPolicies']) | undefined;
  /** Its place among the endpoints by which two models are compared and tested, from 1. Default: it is no endpoint. */
  readonly endpoint?: number | undefined;
  /** What each row adds to a mean that is no share; NaN for a row that does not count. Such a mean is compared record by record. Default: a metric that is no share is no such mean. */
  readonly rowScores?: ((columns: Columns) => Float64Array) | undefined;
  /** How doing worse by it weighs against a better value of another endpoint. Default: not at all. */
  readonly weighs?: {
    /** `count`: by any more cases. `evidence`: where the difference is shown. */
    readonly by: 'count' | 'evidence';
    /** It weighs against endpoints of the same or a later rank, and against those without one. */
    readonly rank: number;
    /** What a model did: `missed 2 of 48 emergencies`. */
    readonly inWords: (count: number, n: number) => string;
  };
  /** What the records that it counts are called. Default: `cases that NAME counts`. */
  readonly cases?: string;
  /** Which rows it counts where groups link to their records. Default: all scored rows. */
  readonly countedRows?: 'not_abstained' | 'to_answer' | 'to_answer_not_abstained' | 'deferral_labels';
  /** Whether a condition on it, in its better direction, is one on emergencies. Default: false. */
  readonly onEmergencies?: boolean;
  /** Whether it has a value only where the model was asked if a case is urgent. Default: false. */
  readonly needsUrgency?: boolean;
  /** Whether calling every case urgent is best by it, or worst: a gate on the one needs a condition on the other. Default: neither. */
  readonly alwaysUrgent?: 'best' | 'worst';
  /** Bounds of a value on n rows, had m more been answered in any way. Default: those of a `bounded` metric, or none. */
  readonly movedBy?: (value: number, n: number, m: number) => Bounds;
  /** Whether it needs nothing but whether an answer abstains and whether it should, so that it can be said of free text. Default: false. */
  readonly appliesToText?: boolean;
  /** Its place in comparisons of free text, from 1. Default: it is not there. */
  readonly textPlace?: number;
  /**
   * `none` for a metric without an interval (a curve); `not_valid` for one whose bootstrap intervals miss the truth (ECE and its kin are biased upwards);
   * `few` for one too expensive for the full number of resamples. Default: `full`.
   */
  readonly resampling?: 'full' | 'few' | 'none' | 'not_valid';
}

/** What a score tells of its metric. */
export function collectFacts(metric: Metric, sample: Sample | null): MetricFacts {
  const { better = null, constantPolicies, ...rest } = metric;
  const policies = Object.entries((sample && constantPolicies?.(sample)) ?? {}).filter(([, value]) =>
    Number.isFinite(value),
  );
  return {
    ...pick(
      rest,
      FACTS.filter(
        (name): name is Exclude<typeof name, 'better' | 'constantPolicies'> =>
          name in rest && rest[name as never] !== undefined,
      ),
    ),
    better,
    ...(policies.length > 0 && { constantPolicies: Object.fromEntries(policies) }),
  };
}

/** Names from elsewhere, in the form that `canonicalMetricName` gives them. */
const ALIASES: Readonly<Record<string, string>> = {
  coverage: 'answer_rate',
  answer_rate_coverage: 'answer_rate',
  selective_accuracy_answered_only: 'selective_accuracy',
  selective_accuracy_over_all_rows: 'selective_accuracy',
  overall_accuracy: 'accuracy',
  accuracy_over_all_rows: 'accuracy',
  ece: 'expected_calibration_error',
  brier: 'brier_score',
};

/**
 * A metric's name in canonical form: lower case, words joined by underscores, with the names of the Python framework (`Answer Rate
 * (Coverage)`) and short names (`ece`) translated. An unknown name is returned in that form.
 *
 * @example
 * ```ts
 * canonicalMetricName('Selective Accuracy (answered only)') // => 'selective_accuracy'
 * canonicalMetricName('coverage') // => 'answer_rate'
 * canonicalMetricName('My Own Metric') // => 'my_own_metric'
 * ```
 */
export function canonicalMetricName(name: string): string {
  const joined = name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '');
  return ALIASES[joined] ?? joined;
}
