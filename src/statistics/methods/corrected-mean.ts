import { z } from 'zod';
import type { Shape } from '../../core/codec.ts';
import { clipShare, mean } from '../samples.ts';
import { assertLevel, criticalValue, studentQuantile } from '../special-functions.ts';

/** One judged item. */
export interface JudgedLabel {
  /** What the judge says: 1 present, 0 not; or a score. */
  readonly judge: number;
  /** What people say; null where the item has no label. */
  readonly human: number | null;
  /** Probability that the item was drawn for labelling. Needed where it has a label. */
  readonly pi: number | null;
  /** The question. */
  readonly cluster: Cluster;
}

interface CorrectionOptions {
  /** Default: 0.95. */
  readonly level?: number;
  /** How much the judge counts: 0 is people alone, 1 is prediction-powered inference. Default: tuned. */
  readonly lambda?: number | 'tuned';
}

/** A mean corrected for the judge's errors. */
export interface CorrectedMean extends EstimateError {
  readonly nItems: number;
  readonly nLabelled: number;
  readonly nLabelledClusters: number;
  /** The judge's mean. */
  readonly raw: number | null;
  readonly humanOnly: number | null;
  readonly lambda: number | null;
  readonly estimate: number | null;
  /** Why there is no estimate, or what to say beside it. */
  readonly reason: string | null;
}

/**
 * The mean of what people would say, from the judge's verdicts on all items and people's labels on some that were drawn with known probabilities (prediction-powered inference, tuned). Standard error by
 * a delete-one-question jackknife, interval on the logit scale.
 *
 * @example
 * ```ts
 * const items = ['q1', 'q2', 'q3', 'q4'].flatMap((cluster, i) => [
 *   { judge: 1, human: i === 0 ? 0 : 1, pi: 0.5, cluster },
 *   { judge: i % 2, human: null, pi: 0.5, cluster },
 * ]);
 * const { raw, humanOnly, nLabelled } = correctedMean(items);
 * [raw, humanOnly, nLabelled] // => [0.75, 0.75, 4]
 * correctedMean([]).reason // => 'too_few_labelled_questions'
 * ```
 */
export function correctedMean(
  items: readonly JudgedLabel[],
  {
    level = 0.95,
    lambda = 'tuned',
    interval = 'logit',
  }: CorrectionOptions & { readonly interval?: 'logit' | 'wald' } = {},
): CorrectedMean {
  const labelled = items.filter(({ human }) => isGiven(human));
  const nLabelledClusters = labelledClusters(items).size;
  const counts = { nItems: items.length, nLabelled: labelled.length, nLabelledClusters };
  const reason = whyNot(items);
  const fit = reason === null ? fitMean(items, lambda) : null;
  if (fit === null) {
    const raw = mean(items.map(({ judge }) => judge));
    return { ...counts, raw, humanOnly: null, lambda: null, estimate: null, ...NO_ERROR, reason };
  }
  const { theta } = fit;
  const se = jackknifeError(leaveOneOut([items], ([left]) => fitMean(left!, lambda)?.theta ?? null));
  const half = halfWidth(se, level, nLabelledClusters - 1);
  const agrees =
    labelled.every(({ judge, human }) => judge === human) && (lambda === 'tuned' || lambda === 1);
  const isWald = interval === 'wald' || lambda === 1 || !(theta > 0 && theta < 1);
  let bounds: readonly [number, number] | null = null;
  if (half !== null && isWald) bounds = [theta - half, theta + half];
  else if (half !== null) {
    const centre = Math.log(theta / (1 - theta));
    const reach = half / (theta * (1 - theta));
    bounds = [expit(centre - reach), expit(centre + reach)];
  }
  if (agrees) {
    // No error seen is not no error: the rule of three, two-sided.
    const unseen = 1 - ((1 - level) / 2) ** (1 / nLabelledClusters);
    bounds = [(bounds?.[0] ?? theta) - unseen, (bounds?.[1] ?? theta) + unseen];
  }
  return {
    ...counts,
    raw: fit.raw,
    humanOnly: fit.humanOnly,
    lambda: fit.lambda,
    estimate: theta,
    se,
    lower: bounds === null ? null : clipShare(bounds[0]),
    upper: bounds === null ? null : clipShare(bounds[1]),
    reason: agrees ? 'no_disagreement_in_labels' : null,
  };
}

/**
 * The difference of two runs on the same questions, each corrected for the judge's errors; the jackknife leaves a question out of both.
 *
 * @example
 * ```ts
 * correctedDifference([], []).reason // => 'too_few_labelled_questions'
 * ```
 */
export function correctedDifference(
  a: readonly JudgedLabel[],
  b: readonly JudgedLabel[],
  { level = 0.95, lambda = 'tuned' }: CorrectionOptions = {},
) {
  const raw = [a, b].map((items) => mean(items.map(({ judge }) => judge)));
  const rawDifference = raw[0] === null || raw[1] === null ? null : raw[0]! - raw[1]!;
  const reason = whyNot(a) ?? whyNot(b);
  const [first, second] = reason === null ? [fitMean(a, lambda), fitMean(b, lambda)] : [null, null];
  if (!first || !second)
    return { rawDifference, difference: null, lambdaA: null, lambdaB: null, ...NO_ERROR, reason };
  const difference = first.theta - second.theta;
  const se = jackknifeError(
    leaveOneOut([a, b], ([left, right]) => {
      const [x, y] = [fitMean(left!, lambda), fitMean(right!, lambda)];
      return x === null || y === null ? null : x.theta - y.theta;
    }),
  );
  const degrees = new Set([...labelledClusters(a), ...labelledClusters(b)]).size - 1;
  const error = intervalAround(difference, se, { level, degrees, range: [-1, 1] });
  return { rawDifference, difference, lambdaA: first.lambda, lambdaB: second.lambda, ...error, reason: null };
}

/**
 * Prediction-powered mean of the papers: labelled and unlabelled rows apart, rows independent, nothing clipped. Null with fewer than two rows in either set.
 *
 * @example
 * ```ts
 * ppiMean([1, 0], [1, 0], [1, 1, 0, 1], { lambda: 1 })!.estimate // => 0.75
 * ```
 */
export function ppiMean(
  human: readonly number[],
  judgeLabelled: readonly number[],
  judgeUnlabelled: readonly number[],
  { level = 0.95, lambda = 'tuned' }: CorrectionOptions = {},
) {
  const [n, N] = [human.length, judgeUnlabelled.length];
  if (n < 2 || N < 2 || judgeLabelled.length !== n) return null;
  const all = [...judgeLabelled, ...judgeUnlabelled];
  const spread = computeVariance(all);
  const tuned = spread === 0 ? 0 : computeCovariance(human, judgeLabelled) / ((1 + n / N) * spread);
  const used = lambda === 'tuned' ? tuned : lambda;
  const rest = human.map((y, i) => y - used * judgeLabelled[i]!);
  const estimate = used * mean(judgeUnlabelled)! + mean(rest)!;
  const se = withoutRounding(
    Math.sqrt(computeVariance(rest) / n + (used ** 2 * computeVariance(judgeUnlabelled)) / N),
  );
  return {
    lambda: used,
    estimate,
    ...intervalAround(estimate, se, { level, degrees: null, range: null }),
    humanOnly: mean(human)!,
    humanOnlySe: Math.sqrt(computeVariance(human) / n),
    raw: mean(all)!,
  };
}

function isGiven(value: number | null | undefined): value is number {
  return value !== null && value !== undefined;
}

function labelledClusters(items: readonly JudgedLabel[]): Set<Cluster> {
  return new Set(items.filter(({ human }) => isGiven(human)).map(({ cluster }) => cluster));
}

function whyNot(items: readonly JudgedLabel[]): string | null {
  const isKnown = ({ human, pi }: JudgedLabel) => !isGiven(human) || (isGiven(pi) && pi > 0 && pi <= 1);
  if (!items.every(isKnown)) return 'unknown_probabilities';
  return labelledClusters(items).size < 2 ? 'too_few_labelled_questions' : null;
}

/** theta(lambda) = lambda mean(f) + sum w (y - lambda f) / sum w; null without labels. */
function fitMean(items: readonly JudgedLabel[], lambda: number | 'tuned') {
  const groups = new Map<Cluster, { n: number; F: number; W: number; WY: number; WF: number }>();
  for (const { judge, human, pi, cluster } of items) {
    const own = groups.get(cluster) ?? { n: 0, F: 0, W: 0, WY: 0, WF: 0 };
    groups.set(cluster, own);
    own.n += 1;
    own.F += judge;
    if (!isGiven(human)) continue;
    const w = 1 / pi!;
    own.W += w;
    own.WY += w * human;
    own.WF += w * judge;
  }
  const sum = (of: 'n' | 'F' | 'W' | 'WY' | 'WF') =>
    groups.values().reduce((total, own) => total + own[of], 0);
  const [n, W] = [sum('n'), sum('W')];
  if (W === 0) return null;
  const [fbar, ybar, flab] = [sum('F') / n, sum('WY') / W, sum('WF') / W];
  const wbar = W / n;
  const labelled = items.filter(({ human }) => isGiven(human));
  let used = lambda === 'tuned' ? 0 : lambda;
  if (lambda === 'tuned' && labelled.every(({ judge, human }) => judge === human)) used = 1;
  else if (lambda === 'tuned') {
    let [ab, bb] = [0, 0];
    for (const own of groups.values()) {
      const A = (own.WY - ybar * own.W) / wbar;
      const B = own.F - fbar * own.n - (own.WF - flab * own.W) / wbar;
      ab += A * B;
      bb += B * B;
    }
    used = bb < 1e-18 ? 0 : clipShare(-ab / bb);
  }
  return { theta: used * fbar + ybar - used * flab, lambda: used, raw: fbar, humanOnly: ybar };
}

/** The statistic without each question in turn, left out of all samples at once. */
function leaveOneOut(
  samples: readonly (readonly JudgedLabel[])[],
  statistic: (samples: readonly (readonly JudgedLabel[])[]) => number | null,
): (number | null)[] {
  const clusters = [...new Set(samples.flatMap((items) => items.map(({ cluster }) => cluster)))];
  return clusters.map((left) =>
    statistic(samples.map((items) => items.filter(({ cluster }) => cluster !== left))),
  );
}

function computeCovariance(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [mean(a)!, mean(b)!];
  return a.reduce((sum, value, i) => sum + (value - x) * (b[i]! - y), 0) / (a.length - 1);
}

function computeVariance(values: readonly number[]): number {
  return computeCovariance(values, values);
}

function expit(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** The name of a question, or of whatever goes together. */
export type Cluster = string | number;

export const estimateErrorSchema = z.object({
  se: z.number().nullable(),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
});
/** An estimate's uncertainty; null where it is undefined. */
export type EstimateError = Shape<typeof estimateErrorSchema>;

export const NO_ERROR: EstimateError = { se: null, lower: null, upper: null };

/** Below this a standard error is rounding. */
const ZERO = 1e-13;

/**
 * Standard error of a statistic from its influence values, with rows that go together: sqrt(G/(G-1) * sum over clusters of (sum of influences)^2) / n. Null with fewer than two clusters; 0 where nothing varies.
 */
export function clusterError(influences: readonly number[], clusters: readonly Cluster[]): number | null {
  const sums = new Map<Cluster, number>();
  for (const [i, value] of influences.entries())
    sums.set(clusters[i]!, (sums.get(clusters[i]!) ?? 0) + value);
  if (sums.size < 2) return null;
  let squares = 0;
  for (const sum of sums.values()) squares += sum * sum;
  return withoutRounding(Math.sqrt((sums.size / (sums.size - 1)) * squares) / influences.length);
}

/** Standard error from leave-one-out replicates, around their mean. Null where one is undefined, or with fewer than two. */
export function jackknifeError(replicates: readonly (number | null)[]): number | null {
  const values = replicates.filter((value) => value !== null);
  if (values.length < 2 || values.length < replicates.length) return null;
  const centre = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return withoutRounding(Math.sqrt(((values.length - 1) / values.length) * squares));
}

export function withoutRounding(error: number): number {
  return error < ZERO ? 0 : error;
}

/** The half-width of an interval: t with these degrees, or z without. Null where the standard error is undefined or 0: a point is not an interval. */
export function halfWidth(se: number | null, level: number, degrees: number | null): number | null {
  assertLevel(level);
  if (se === null || se === 0 || (degrees !== null && degrees < 1)) return null;
  return se * (degrees === null ? criticalValue(level) : studentQuantile((1 + level) / 2, degrees));
}

/** An interval around an estimate, clipped to the range of the quantity. */
export function intervalAround(
  estimate: number,
  se: number | null,
  {
    level,
    degrees,
    range,
  }: { level: number; degrees: number | null; range: readonly [number, number] | null },
): EstimateError {
  const half = halfWidth(se, level, degrees);
  if (half === null) return { se, lower: null, upper: null };
  const [least, most] = range ?? [-Infinity, Infinity];
  return {
    se,
    lower: Math.min(most, Math.max(least, estimate - half)),
    upper: Math.max(least, Math.min(most, estimate + half)),
  };
}

/** How many different clusters there are. */
export function clusterCount(clusters: readonly Cluster[]): number {
  return new Set(clusters).size;
}
