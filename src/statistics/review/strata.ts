import { type EstimateError, intervalAround, NO_ERROR, withoutRounding } from './cluster-error.ts';

/** Labels drawn from one stratum. */
export interface LabelledStratum {
  /** Items in it. */
  readonly size: number;
  /** Labels drawn from it. */
  readonly n: number;
  /** Labels that say present. */
  readonly positives: number;
}

/** A share from labels drawn by stratum. */
export interface StratifiedEstimate extends EstimateError {
  readonly estimate: number | null;
  readonly reason: string | null;
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
): StratifiedEstimate | null {
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

/** A judge's accuracy from labels drawn by its verdict. */
export interface VerdictAccuracy {
  readonly sharePresent: number;
  readonly sensitivity: number | null;
  readonly specificity: number | null;
  readonly ppv: number | null;
  readonly npv: number | null;
  /** What the labels give without their weights: biased. */
  readonly naiveSensitivity: number | null;
  readonly naiveSpecificity: number | null;
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
export function accuracyFromVerdictStrata(
  judgePresent: LabelledStratum,
  judgeNotPresent: LabelledStratum,
): VerdictAccuracy | null {
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
    naiveSensitivity: share(judgePresent.positives, judgePresent.positives + judgeNotPresent.positives),
    naiveSpecificity: share(negatives[1], negatives[0] + negatives[1]),
  };
}
