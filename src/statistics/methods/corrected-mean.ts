import { z } from 'zod';
import type { Shape } from '../../core/codec.ts';
import { clipShare, mean } from '../samples.ts';
import { assertLevel, criticalValue, normalCdf, studentQuantile } from '../special-functions.ts';

/** Fewest labels for a correction. */
export const MIN_LABELS = 50;
/** Fewest labelled questions for a correction. */
export const MIN_QUESTIONS = 15;

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
  const sums = sumClusters(items);
  const fit = reason === null ? fitMean(sums, lambda) : null;
  if (fit === null) {
    const raw = mean(items.map(({ judge }) => judge));
    return { ...counts, raw, humanOnly: null, lambda: null, estimate: null, ...NO_ERROR, reason };
  }
  const { theta } = fit;
  const se = jackknifeError(sums.byCluster.keys().map((out) => fitMean(sums, lambda, out)?.theta ?? null));
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
  const [left, right] = [sumClusters(a), sumClusters(b)];
  const [first, second] = reason === null ? [fitMean(left, lambda), fitMean(right, lambda)] : [null, null];
  if (!first || !second)
    return { rawDifference, difference: null, lambdaA: null, lambdaB: null, ...NO_ERROR, reason };
  const difference = first.theta - second.theta;
  const clusters = new Set([...left.byCluster.keys(), ...right.byCluster.keys()]);
  const se = jackknifeError(
    clusters.keys().map((out) => {
      const [x, y] = [fitMean(left, lambda, out), fitMean(right, lambda, out)];
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

/** What the judge says of labelled items and of the others, and how surely these differ. */
export interface LabelledDifference {
  readonly labelled: number;
  readonly others: number;
  /** Two-sided, by the normal distribution; clusters are drawn together. */
  readonly p: number;
}

/**
 * Whether the labelled items look like a random sample of all, by the judge's scores, which all have. Null where fewer than two clusters have labels, or fewer than two have items without one.
 *
 * @example
 * ```ts
 * const items = Array.from({ length: 40 }, (_, i) => ({ judge: i % 2, human: i < 20 ? 1 : null, pi: 0.5, cluster: i }));
 * compareLabelled(items) // => { labelled: 0.5, others: 0.5, p: 1 }
 * ```
 */
export function compareLabelled(items: readonly JudgedLabel[]): LabelledDifference | null {
  const [own, rest] = [
    items.filter(({ human }) => isGiven(human)),
    items.filter(({ human }) => !isGiven(human)),
  ];
  if (labelledClusters(own).size < 2 || clusterCount(rest.map(({ cluster }) => cluster)) < 2) return null;
  const [labelled, others] = [own, rest].map((part) => mean(part.map(({ judge }) => judge))!) as [
    number,
    number,
  ];
  // Around the common mean: with few items on one side, their own spread says little.
  const centre = mean(items.map(({ judge }) => judge))!;
  const influences = items.map(
    ({ judge, human }) => ((judge - centre) * items.length) / (isGiven(human) ? own.length : -rest.length),
  );
  const clusters = items.map(({ cluster }) => cluster);
  const error = clusterError(influences, clusters);
  const difference = labelled - others;
  if (!error) return { labelled, others, p: 1 };
  return { labelled, others, p: 2 * (1 - normalCdf(Math.abs(difference) / error)) };
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

/** Sums over items: all of them, and the labelled ones by their weights w = 1/pi. */
interface Sums {
  n: number;
  /** Of the judge, over all items. */
  F: number;
  W: number;
  WY: number;
  WF: number;
  nLabelled: number;
  /** Labelled items on which judge and people differ. */
  nDiffering: number;
}
/** What the tuning of lambda is linear in, cluster by cluster. */
const LINEAR = ['WY', 'W', 'F', 'n', 'WF'] as const;

interface ClusterSums {
  readonly byCluster: ReadonlyMap<Cluster, Sums>;
  readonly total: Sums;
  /** Sums over clusters of the products of each two linear sums: a cluster is left out by subtracting its own. */
  readonly products: readonly (readonly number[])[];
}

const NO_SUMS: Sums = { n: 0, F: 0, W: 0, WY: 0, WF: 0, nLabelled: 0, nDiffering: 0 };

function sumClusters(items: readonly JudgedLabel[]): ClusterSums {
  const byCluster = new Map<Cluster, Sums>();
  const total = { ...NO_SUMS };
  for (const { judge, human, pi, cluster } of items) {
    const own = byCluster.get(cluster) ?? { ...NO_SUMS };
    byCluster.set(cluster, own);
    const w = isGiven(human) ? 1 / pi! : 0;
    for (const sums of [own, total]) {
      sums.n += 1;
      sums.F += judge;
      if (!isGiven(human)) continue;
      sums.nLabelled += 1;
      sums.W += w;
      sums.WY += w * human;
      sums.WF += w * judge;
      sums.nDiffering += Number(judge !== human);
    }
  }
  const products = LINEAR.map((a) =>
    LINEAR.map((b) => byCluster.values().reduce((sum, own) => sum + own[a] * own[b], 0)),
  );
  return { byCluster, total, products };
}

/** Sums of products below this share of their parts are rounding. */
const ROUNDING = 1e-12;

/** theta(lambda) = lambda mean(f) + sum w (y - lambda f) / sum w, without the cluster `out`; null without labels. */
function fitMean({ byCluster, total, products }: ClusterSums, lambda: number | 'tuned', out?: Cluster) {
  const left = (out === undefined ? null : byCluster.get(out)) ?? NO_SUMS;
  const [n, W] = [total.n - left.n, total.W - left.W];
  if (total.nLabelled === left.nLabelled) return null;
  const [fbar, ybar, flab] = [(total.F - left.F) / n, (total.WY - left.WY) / W, (total.WF - left.WF) / W];
  const wbar = W / n;
  let used = lambda === 'tuned' ? 0 : lambda;
  if (lambda === 'tuned' && total.nDiffering === left.nDiffering) used = 1;
  else if (lambda === 'tuned') {
    // A = (WY - ybar W) / wbar and B = F - fbar n - (WF - flab W) / wbar of each cluster, as coefficients of its sums.
    const A = [1 / wbar, -ybar / wbar, 0, 0, 0];
    const B = [0, flab / wbar, 1, -fbar, -1 / wbar];
    const sumProducts = (a: readonly number[], b: readonly number[]) => {
      let [sum, size] = [0, 0];
      for (const [i, row] of products.entries())
        for (const [j, product] of row.entries()) {
          const part = a[i]! * b[j]! * (product - left[LINEAR[i]!] * left[LINEAR[j]!]);
          sum += part;
          size += Math.abs(part);
        }
      return Math.abs(sum) < ROUNDING * size ? 0 : sum;
    };
    const squares = sumProducts(B, B);
    used = squares < 1e-18 ? 0 : clipShare(-sumProducts(A, B) / squares);
  }
  return { theta: used * fbar + ybar - used * flab, lambda: used, raw: fbar, humanOnly: ybar };
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
export function jackknifeError(replicates: Iterable<number | null>): number | null {
  const values: number[] = [];
  for (const value of replicates) {
    if (value === null) return null;
    values.push(value);
  }
  if (values.length < 2) return null;
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
