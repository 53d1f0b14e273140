import { argumentError } from '../../core/errors.ts';
import { wilsonInterval } from '../proportions.ts';
import { assertSameLength, mean } from '../samples.ts';
import { criticalValue } from '../special-functions.ts';
import {
  type Cluster,
  clusterCount,
  clusterError,
  intervalAround,
  NO_ERROR,
  withoutRounding,
} from './corrected-mean.ts';

/** Labels drawn from one stratum. */
export interface LabelledStratum {
  /** Items in it. */
  readonly size: number;
  /** Labels drawn from it. */
  readonly n: number;
  /** Labels that say present. */
  readonly positives: number;
}

/**
 * The share of present items from labels drawn by stratum. `target` is the population that the answers stand for, or `frame`, these answers only. Null without items.
 *
 * @example
 * ```ts
 * stratifiedEstimate([{ size: 250, n: 40, positives: 36 }, { size: 150, n: 40, positives: 6 }])!.estimate // => 0.61875
 * ```
 */
export function stratifiedEstimate(
  strata: readonly LabelledStratum[],
  {
    level = 0.95,
    target = 'population',
  }: { readonly level?: number; readonly target?: 'population' | 'frame' } = {},
) {
  const filled = strata.filter(({ size }) => size > 0);
  const total = filled.reduce((sum, { size }) => sum + size, 0);
  if (total === 0) return null;
  if (filled.some(({ n }) => n === 0))
    return { estimate: null, ...NO_ERROR, reason: 'stratum_without_labels' };
  const estimate = filled.reduce((sum, { size, n, positives }) => sum + (size / total) * (positives / n), 0);
  let variance = 0;
  for (const { size, n, positives: k } of filled) {
    const smoothed = (k + 1) / (n + 2);
    const within = k === 0 || k === n ? smoothed * (1 - smoothed) : (k * (n - k)) / (n * (n - 1));
    const weight = size / total;
    variance += ((weight ** 2 * within) / n) * (target === 'frame' ? 1 - n / size : 1);
    if (target === 'population') variance += (weight * (k / n - estimate) ** 2) / total;
  }
  const se = withoutRounding(Math.sqrt(Math.max(0, variance)));
  return { estimate, ...intervalAround(estimate, se, { level, degrees: null, range: [0, 1] }), reason: null };
}

/**
 * Sensitivity and specificity of a judge from labels drawn by its verdict (Begg and Greenes 1983): raw shares of such labels are biased. Null where a stratum has items and no labels.
 *
 * @example
 * ```ts
 * const found = accuracyFromVerdictStrata({ size: 350, n: 40, positives: 36 }, { size: 50, n: 40, positives: 10 })!;
 * [found.sensitivity!.toFixed(4), found.naiveSensitivity!.toFixed(4)] // => ['0.9618', '0.7826']
 * ```
 */
export function accuracyFromVerdictStrata(judgePresent: LabelledStratum, judgeNotPresent: LabelledStratum) {
  const strata = [judgePresent, judgeNotPresent];
  const total = judgePresent.size + judgeNotPresent.size;
  if (total === 0 || strata.some(({ size, n }) => size > 0 && n === 0)) return null;
  const share = (part: number, whole: number) => (whole <= 0 ? null : part / whole);
  const ppv = share(judgePresent.positives, judgePresent.n);
  const missed = share(judgeNotPresent.positives, judgeNotPresent.n);
  const found = (judgePresent.size / total) * (ppv ?? 0);
  const unfound = (judgeNotPresent.size / total) * (missed ?? 0);
  const right = (judgeNotPresent.size / total) * (1 - (missed ?? 0));
  const sharePresent = found + unfound;
  const negatives = strata.map(({ n, positives }) => n - positives) as [number, number];
  return {
    sharePresent,
    sensitivity: share(found, sharePresent),
    specificity: share(right, 1 - sharePresent < 1e-12 ? 0 : 1 - sharePresent),
    ppv,
    npv: missed === null ? null : 1 - missed,
    /** What the labels give without their weights: biased. */
    naiveSensitivity: share(judgePresent.positives, judgePresent.positives + judgeNotPresent.positives),
    naiveSpecificity: share(negatives[1], negatives[0] + negatives[1]),
  };
}

/** How many labels a stratum gets. */
export interface Allocation {
  readonly id: string;
  readonly n: number;
  /** n / size: stored with every label. Null for an empty stratum. */
  readonly inclusionProbability: number | null;
}

/**
 * Divides labels among strata: first the minimum of each, then one after another to the stratum with room and the greatest w/(2a+1), where a is how many it has and w its size (`proportional`), 1
 * (`equal`) or size x sd (`neyman`). Null where the minimums exceed n, or `neyman` lacks an sd.
 *
 * @example
 * ```ts
 * allocateLabels([{ id: 'agree', size: 200 }, { id: 'differ', size: 8 }], 30, { method: 'equal' })!.map(({ n }) => n) // => [22, 8]
 * ```
 */
export function allocateLabels(
  strata: readonly {
    readonly id: string;
    readonly size: number;
    /** Standard deviation within it, for `neyman`. */
    readonly sd?: number;
  }[],
  n: number,
  {
    method = 'proportional',
    minimum = 0,
  }: { readonly method?: 'proportional' | 'equal' | 'neyman'; readonly minimum?: number } = {},
): Allocation[] | null {
  if (!(Number.isInteger(n) && n >= 0)) throw argumentError(`${n} labels; expected a count`, n);
  if (method === 'neyman' && strata.some(({ sd }) => !(sd !== undefined && sd >= 0))) return null;
  const given = strata.map(({ size }) => Math.min(minimum, size));
  const weights = strata.map(({ size, sd = 0 }) =>
    method === 'equal' ? 1 : method === 'neyman' ? size * sd : size,
  );
  let left = n - given.reduce((sum, count) => sum + count, 0);
  if (left < 0) return null;
  for (; left > 0; left--) {
    let best = -1;
    for (const [i, { size }] of strata.entries()) {
      if (given[i]! >= size) continue;
      const priority = (of: number) => weights[of]! / (2 * given[of]! + 1);
      if (best < 0 || priority(i) > priority(best)) best = i;
    }
    if (best < 0) break;
    given[best]! += 1;
  }
  return strata.map(({ id, size }, i) => ({
    id,
    n: given[i]!,
    inclusionProbability: size === 0 ? null : given[i]! / size,
  }));
}

interface Planning {
  /** Default: 0.95. */
  readonly level?: number;
  /** How much variance labels of shared questions add. Default: 1. */
  readonly designEffect?: number;
}

/**
 * How many labels make the interval of a share this narrow: n0 = deff z^2 p(1-p)/d^2, and from a frame of N items n0/(1 + (n0-1)/N). Null for a half-width that is not above 0.
 *
 * @example
 * ```ts
 * requiredLabelsForProportion({ halfWidth: 0.05, expected: 0.9 }) // => 139
 * ```
 */
export function requiredLabelsForProportion(
  {
    halfWidth,
    expected = 0.5,
    population = null,
  }: { readonly halfWidth: number; readonly expected?: number; readonly population?: number | null },
  { level = 0.95, designEffect = 1 }: Planning = {},
): number | null {
  if (!(halfWidth > 0) || !(expected >= 0 && expected <= 1)) return null;
  const whole = (designEffect * criticalValue(level) ** 2 * expected * (1 - expected)) / halfWidth ** 2;
  return roundedUp(population === null ? whole : whole / (1 + (whole - 1) / population));
}

/**
 * How many labels put the Wilson lower bound of an observed share at the target or above. Null where the share is not above the target.
 *
 * @example
 * ```ts
 * requiredLabelsForLowerBound({ share: 0.9, target: 0.75 }) // => 33
 * ```
 */
export function requiredLabelsForLowerBound(
  { share, target }: { readonly share: number; readonly target: number },
  { level = 0.95, designEffect = 1 }: Planning = {},
): number | null {
  if (!(share > target)) return null;
  return roundedUp(
    (designEffect * criticalValue(level) ** 2 * target * (1 - target)) / (share - target) ** 2,
  );
}

/**
 * How many labels without an event bound a rate below this, one-sided. Null for a rate outside (0, 1).
 *
 * @example
 * ```ts
 * requiredLabelsForZeroEvents(0.05) // => 59
 * ```
 */
export function requiredLabelsForZeroEvents(maxRate: number, level = 0.95): number | null {
  criticalValue(level);
  return maxRate > 0 && maxRate < 1 ? roundedUp(Math.log(1 - level) / Math.log(1 - maxRate)) : null;
}

/** Rounding must not add a label to a whole number. */
function roundedUp(value: number): number {
  return Math.ceil(value - 1e-9);
}

/**
 * The variance of a mean with rows of one question taken together, over the variance of independent rows. Null without variation, or with fewer than two questions.
 *
 * @example
 * ```ts
 * designEffect([1, 1, 0, 0], ['a', 'a', 'b', 'b'])!.designEffect.toFixed(6) // => '4.000000'
 * designEffect([1, 1], ['a', 'b']) // => null
 * ```
 */
export function designEffect(values: readonly number[], clusters: readonly Cluster[]) {
  assertSameLength({ values, clusters });
  const centre = mean(values);
  if (centre === null) return null;
  const deviations = values.map((value) => value - centre);
  const variance = deviations.reduce((sum, own) => sum + own ** 2, 0) / values.length ** 2;
  const se = clusterError(deviations, clusters);
  if (se === null || variance < 1e-26) return null;
  const effect = se ** 2 / variance;
  return {
    designEffect: effect,
    /** Null where the design effect is 0. */
    nEffective: effect === 0 ? null : values.length / effect,
    se,
    nClusters: clusterCount(clusters),
  };
}

/** A share with an interval that takes rows of one question together. */
export interface ClusteredShare {
  readonly value: number;
  readonly n: number;
  readonly nClusters: number;
  readonly nEffective: number;
  readonly lower: number;
  readonly upper: number;
}

/**
 * Wilson's interval of a share with n divided by the design effect, where that is above 1. Without variation the questions are the units. Null without rows, or with one question that varies.
 *
 * @example
 * ```ts
 * wilsonClustered([1, 1, 1, 1], ['a', 'a', 'b', 'b'])!.nEffective // => 2
 * wilsonClustered([], []) // => null
 * ```
 */
export function wilsonClustered(
  values: readonly number[],
  clusters: readonly Cluster[],
  level = 0.95,
): ClusteredShare | null {
  assertSameLength({ values, clusters });
  const value = mean(values);
  if (value === null) return null;
  const nClusters = clusterCount(clusters);
  const effect = designEffect(values, clusters)?.designEffect ?? null;
  const isConstant = value === 0 || value === 1;
  if (!isConstant && effect === null) return null;
  const nEffective = isConstant ? nClusters : values.length / Math.max(1, effect!);
  const [lower, upper] = wilsonInterval(value * nEffective, nEffective, level)!;
  return { value, n: values.length, nClusters, nEffective, lower, upper };
}
