import { errorKind, withoutText } from '../core/errors.ts';
import { createScore, type Interval } from '../core/score.ts';
import { bcaInterval, percentileInterval } from '../statistics/bootstrap.ts';
import {
  type ClusterSum,
  independentShare,
  type ShareOfClusters,
  shareOfClusters,
} from '../statistics/clustered-share.ts';
import { wilsonInterval } from '../statistics/proportions.ts';
import { DEFAULT_LEVEL, type ScoreOptions } from '../statistics/score-options.ts';
import { bootstrap, type Replicates } from './bootstrap.ts';
import { type Columns, pickRows } from './columns.ts';
import {
  collectFacts,
  type Estimate,
  estimateMetric,
  type Metric,
  type MetricScore,
  numberOrNull,
} from './metric.ts';
import { type Plan, planFor } from './resample.ts';
import { Sample } from './sample.ts';
import { countOutcomes } from './tables.ts';

/**
 * The values without intervals, for live figures and for code that resamples itself.
 *
 * @example
 * ```ts
 * const rows = [evaluationResult({ prediction: 1, groundTruth: 1 }), evaluationResult({ groundTruth: 1, abstained: true })];
 * metricValues(Sample.of(rows), [accuracy(), answerRate()]) // => { accuracy: 0.5, answer_rate: 0.5 }
 * ```
 */
export function metricValues(sample: Sample, metrics: readonly Metric[]): Record<string, number | null> {
  return Object.fromEntries(
    metrics.map((metric) => [metric.name, numberOrNull(estimateMetric(metric, sample))]),
  );
}

/** The rows that the value rests on: the denominator of a share. */
export function findDenominator(metric: Metric, sample: Sample): number {
  return metric.proportion?.(sample).n ?? metric.nEvaluated?.(sample) ?? countOutcomes(sample).n;
}

/** Every metric with its interval, n, breakdown by stratum and details. One set of resamples serves them all. */
export function scoreMetrics(
  sample: Sample,
  metrics: readonly Metric[],
  options: ScoreOptions = {},
): MetricScore[] {
  const errors = new Map<string, unknown>();
  const guarded = metrics.map((metric) => guard(metric, errors));
  return scoreGuarded(sample, guarded, options).map((score) =>
    errors.has(score.name) ? failedScore(score, errors.get(score.name)) : score,
  );
}

/** A metric of the user's own whose errors are kept: the calls that brought the rows are paid, and the other metrics have values. */
function guard(metric: Metric, errors: Map<string, unknown>): Metric {
  // Built-in metrics say which metadata they read, if none.
  if (metric.metadataKeys?.length === 0 || metric.derived !== undefined) return metric;
  const { proportion, estimate, details } = metric;
  const kept = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      if (!errors.has(metric.name)) errors.set(metric.name, error);
      return otherwise;
    }
  };
  return {
    ...metric,
    ...(proportion && { proportion: (sample) => kept(() => proportion(sample), { successes: 0, n: 0 }) }),
    ...(estimate && {
      estimate: (sample, given) => kept(() => estimate(sample, given), METRIC_FAILED),
    }),
    ...(details && { details: (sample, given) => kept(() => details(sample, given), {}) }),
    compute: (rows, given) => kept(() => metric.compute(rows, given), { value: null, reason: METRIC_FAILED }),
  };
}

/** Why a metric that threw has no value. */
const METRIC_FAILED = 'metric_failed';

/** The error without its text, which may quote a record: its kind, and the place in the code. */
function failedScore(score: MetricScore, error: unknown): MetricScore {
  const [, at = null] = /\n\s+at (?:.*\()?([^()\n]+?)\)?(?:\n|$)/.exec(withoutText(error).stack ?? '') ?? [];
  return {
    ...score,
    value: null,
    reason: METRIC_FAILED,
    interval: null,
    intervalReason: METRIC_FAILED,
    bounds: null,
    nSuccesses: null,
    breakdown: {},
    details: { error: errorKind(error), at },
  };
}

function scoreGuarded(sample: Sample, metrics: readonly Metric[], options: ScoreOptions): MetricScore[] {
  const sources = metrics.flatMap(({ derived }) =>
    derived && !metrics.some(({ name }) => name === derived.from.name) ? [derived.from] : [],
  );
  const own = metrics.filter(({ derived }) => derived === undefined);
  const scores = scoreOwnMetrics(sample, [...own, ...sources], options);
  return metrics.map((metric) => {
    if (metric.derived === undefined) return scores[own.indexOf(metric)]!;
    const from = scores.find(({ name }) => name === metric.derived!.from.name)!;
    const { label = metric.name, family = 'custom', reads = '' } = metric;
    const empty = { value: null, nEvaluated: 0, reason: 'no_rows' };
    const isEmpty = countOutcomes(sample).n === 0;
    const derived = createScore({ name: metric.name, ...(isEmpty ? empty : metric.derived.score(from)) });
    return {
      ...derived,
      label,
      family,
      reads,
      intervalReason: 'no_interval_for_this_metric',
      facts: collectFacts(metric, sample),
    };
  });
}

function scoreOwnMetrics(sample: Sample, metrics: readonly Metric[], options: ScoreOptions): MetricScore[] {
  const plan = planFor(sample.columns, options);
  const estimates = metrics.map((metric) => estimateMetric(metric, sample, options));
  const shares = metrics.map((metric) => estimateShare(metric, sample, plan, options));
  const resampled = metrics.filter(
    (metric, m) =>
      (shares[m] === null || shares[m]!.method === 'bca') &&
      metric.interval === undefined &&
      metric.resampling !== 'none' &&
      metric.resampling !== 'not_valid' &&
      typeof estimates[m] === 'number',
  );
  const replicates = bootstrap(sample, resampled, plan, options);
  const strata = options.breakdown === false ? [] : stratumSamples(sample);
  const outcomes = countOutcomes(sample);
  return metrics.map((metric, m) => {
    const estimate = estimates[m]!;
    const own = metric.estimate || metric.proportion ? undefined : metric.compute(sample);
    const share = metric.proportion?.(sample);
    const drawn = replicates.get(metric);
    const interval =
      metric.interval !== undefined && typeof estimate === 'number'
        ? metric.interval(sample, options)
        : intervalFor(metric, estimate, shares[m]!, drawn, plan.nUnits, options.level);
    return {
      name: metric.name,
      label: metric.label ?? own?.label ?? metric.name,
      family: metric.family ?? 'custom',
      reads: metric.reads ?? '',
      value: numberOrNull(estimate),
      reason: typeof estimate === 'string' ? (own?.reason ?? estimate) : null,
      ...(typeof interval === 'string'
        ? { interval: own?.interval ?? null, intervalReason: own?.interval ? null : interval }
        : { interval, intervalReason: null }),
      bounds: null,
      breakdown:
        own?.breakdown ??
        Object.fromEntries(strata.map(([name, rows]) => [name, numberOrNull(estimateMetric(metric, rows))])),
      nEvaluated: own?.nEvaluated ?? findDenominator(metric, sample),
      nSuccesses: share?.successes ?? own?.nSuccesses ?? null,
      nAbstained: metric.nAbstained?.(sample) ?? own?.nAbstained ?? outcomes.abstained,
      details: metric.details?.(sample, options) ?? own?.details ?? {},
      ungateable: metric.ungateable?.(sample) ?? own?.ungateable ?? null,
      facts: collectFacts(metric, sample),
    };
  });
}

/** A share by the formula for its rows or clusters. Null for everything else, and where classes are drawn apart: no formula allows for that. */
function estimateShare(
  metric: Metric,
  sample: Sample,
  plan: Plan,
  options: ScoreOptions,
): ShareOfClusters | null {
  if (metric.proportion === undefined) return null;
  if (plan.unit === 'row' && options.stratify) return null;
  if (plan.unit === 'cluster') {
    const sums = clusterSums(metric, sample, plan);
    return sums && shareOfClusters(sums, options.level);
  }
  const { successes, n } = metric.proportion(sample);
  return independentShare(successes, n, options.level);
}

function stratumSamples(sample: Sample): [string, Sample][] {
  const { key, label } = sample.columns.stratum;
  const { values } = sample.columns.metadata.get(key)!;
  const codes = values.map((_, code) => code);
  codes.sort((a, b) => values[a]!.localeCompare(values[b]!, 'en', { numeric: true }));
  return codes.map((code) => [`${label}_${values[code]}`, sample.where(key, code)]);
}

/**
 * The successes and rows that each cluster adds to a share, without clusters that add no row. Null where the share is not the sum of its
 * clusters.
 */
function clusterSums(metric: Metric, sample: Sample, plan: Plan): readonly ClusterSum[] | null {
  const sums = metric.restsOn === 'counts' ? fromRows(metric, sample, plan) : fromParts(metric, sample, plan);
  if (sums === null) return null;
  const counted = sums.filter(({ n }) => n > 0);
  const whole = metric.proportion!(sample);
  const total = (of: (own: ClusterSum) => number) => counted.reduce((sum, own) => sum + of(own), 0);
  const isSum = total(({ n }) => n) === whole.n && total(({ sum }) => sum) === whole.successes;
  return isSum ? counted : null;
}

/** Rows of one kind are looked at once. */
function fromRows(metric: Metric, sample: Sample, plan: Plan): readonly ClusterSum[] | null {
  const scores = computeShareScores(metric, sample);
  if (scores === null) return null;
  return Array.from({ length: plan.nUnits }, (_, unit) => {
    const rows = plan.listRows(unit);
    let [sum, n] = [0, 0];
    for (let i = 0; i < rows.length; i++) {
      const score = scores[rows[i]!]!;
      if (Number.isNaN(score)) continue;
      sum += score;
      n += 1;
    }
    return { sum, n };
  });
}

function fromParts(metric: Metric, { columns }: Sample, plan: Plan): readonly ClusterSum[] {
  return Array.from({ length: plan.nUnits }, (_, unit) => {
    const { successes, n } = metric.proportion!(Sample.from(pickRows(columns, plan.listRows(unit))));
    return { sum: successes, n };
  });
}

/**
 * What each row adds to a share: 1 for a success, 0 for a failure, NaN for a row that does not count. Rows that a metric of counts cannot tell
 * apart are looked at once. Null for a share that is no sum over rows.
 */
export function shareScores(metric: Metric, columns: Columns): Float64Array | null {
  const { sample, scores } = SHARES.get(columns) ?? { sample: Sample.from(columns), scores: new Map() };
  SHARES.set(columns, { sample, scores });
  const known = scores.get(metric);
  if (known !== undefined) return known;
  const computed = computeShareScores(metric, sample);
  scores.set(metric, computed);
  return computed;
}

/** Columns never change, and a run is in many pairs: each of its metrics is computed once. */
const SHARES = new WeakMap<
  Columns,
  { readonly sample: Sample; readonly scores: Map<Metric, Float64Array | null> }
>();

/** The same for a sample that has counted its cells already. */
function computeShareScores({ proportion, restsOn }: Metric, sample: Sample): Float64Array | null {
  const { columns } = sample;
  const scoreRow = (row: number) => {
    const { successes, n } = proportion!(Sample.from(pickRows(columns, [row])));
    return n === 0 ? Number.NaN : successes / n;
  };
  const known = new Map<number, number>();
  const scores = Float64Array.from({ length: columns.n }, (_, row) => {
    const kind = restsOn === 'counts' ? sample.cells.of[row]! : row;
    if (!known.has(kind)) known.set(kind, scoreRow(row));
    return known.get(kind)!;
  });
  const counted = scores.filter((score) => !Number.isNaN(score));
  const whole = proportion!(sample);
  const sum = counted.reduce((total, score) => total + score, 0);
  return counted.length === whole.n && Math.abs(sum - whole.successes) < 1e-9 * (1 + sum) ? scores : null;
}

/** Above this share of undefined resamples, an interval would describe only the defined ones. */
const MAX_UNDEFINED = 0.05;

/** The interval of one score, or the reason why there is none. `share` is null for everything but a share whose rows or clusters are independent draws. */
function intervalFor(
  metric: Metric,
  estimate: Estimate,
  share: ShareOfClusters | null,
  replicates: Replicates | undefined,
  nUnits: number,
  level = DEFAULT_LEVEL,
): Interval | string {
  if (typeof estimate === 'string') return 'value_undefined';
  if (metric.resampling === 'none') return 'no_interval_for_this_metric';
  if (metric.resampling === 'not_valid') return 'no_valid_interval';
  const range = ([lower, upper]: readonly [number, number]) => ({ lower, upper, level });
  if (share !== null && share.reason !== null) return share.reason;
  if (share !== null && share.interval !== null && share.method !== null) {
    const unit = share.method === 'wilson' ? 'row' : 'cluster';
    return { ...range(share.interval), method: share.method, resamples: null, unit };
  }
  if (replicates === undefined) return nUnits < 2 ? 'too_few_rows' : 'resampling_off';
  const { values, nUndefined, jackknife, resamples, unit } = replicates;
  if (nUndefined > MAX_UNDEFINED * resamples) return 'undefined_in_resamples';
  if (values.every((value) => value === values[0])) {
    // Without variation resampling gives no interval; a share of 0 or 1 still has a formula.
    if (metric.proportion === undefined || (estimate !== 0 && estimate !== 1))
      return 'no_variation_in_resamples';
    const ofClusters = range(wilsonInterval(estimate * nUnits, nUnits, level)!);
    return { ...ofClusters, method: 'wilson_clusters', resamples: null, unit };
  }
  const corrected =
    jackknife &&
    bcaInterval(
      { estimate, replicates: values, jackknife: jackknife.values, jackknifeWeights: jackknife.weights },
      level,
    );
  if (corrected && corrected.z0 !== null)
    return { ...range(corrected.interval), method: 'bca', resamples, unit };
  return { ...range(percentileInterval(values, level)!), method: 'percentile', resamples, unit };
}
