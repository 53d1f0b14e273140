import { criticalValue } from '../critical-value.ts';
import { clipShare } from '../sample-statistics.ts';

/** What is known of a judge and of what it judged, as counts. */
export interface JudgeCounts {
  /** Items that the judge called present, of `nJudged`. */
  readonly judgePositive: number;
  readonly nJudged: number;
  /** Items that both people and the judge called present, of those present to people. */
  readonly truePositive: number;
  readonly nHumanPositive: number;
  /** Items that neither called present, of those not present to people. */
  readonly trueNegative: number;
  readonly nHumanNegative: number;
}

/** A share corrected for the judge's errors. */
export interface RoganGladen {
  readonly raw: number | null;
  readonly sensitivity: number | null;
  readonly specificity: number | null;
  readonly youden: number | null;
  readonly unclipped: number | null;
  readonly corrected: number | null;
  readonly clipped: boolean | null;
  readonly delta: { readonly se: number; readonly lower: number; readonly upper: number } | null;
  /** The interval to print (Lang and Reiczigel 2014). */
  readonly adjusted: { readonly lower: number; readonly upper: number } | null;
  /** Why it is undefined. */
  readonly reason: string | null;
}

/**
 * Rogan and Gladen's estimate of a share from the judge's share and its sensitivity and specificity, with the delta and the adjusted interval. Items count as independent.
 *
 * @example
 * ```ts
 * const counts = { judgePositive: 120, nJudged: 400, truePositive: 45, nHumanPositive: 50, trueNegative: 85, nHumanNegative: 100 };
 * roganGladen(counts).corrected!.toFixed(6) // => '0.200000'
 * ```
 */
export function roganGladen(
  counts: JudgeCounts,
  { level = 0.95 }: { readonly level?: number } = {},
): RoganGladen {
  const {
    judgePositive: x,
    nJudged: n,
    truePositive: s,
    nHumanPositive: n1,
    trueNegative: t,
    nHumanNegative: n0,
  } = counts;
  const z = criticalValue(level);
  const raw = n === 0 ? null : x / n;
  const sensitivity = n1 === 0 ? null : s / n1;
  const specificity = n0 === 0 ? null : t / n0;
  const youden = sensitivity === null || specificity === null ? null : sensitivity + specificity - 1;
  const known = { raw, sensitivity, specificity, youden };
  const none = (reason: string): RoganGladen => ({
    ...known,
    unclipped: null,
    corrected: null,
    clipped: null,
    delta: null,
    adjusted: null,
    reason,
  });
  if (raw === null) return none('nothing_judged');
  if (sensitivity === null) return none('no_human_positive_labels');
  if (specificity === null || youden === null) return none('no_human_negative_labels');
  if (youden <= 1e-12) return none('judge_no_better_than_chance');
  const unclipped = (raw + specificity - 1) / youden;
  const corrected = clipShare(unclipped);
  const variance = (
    theta: number,
    p: number,
    se: number,
    sp: number,
    sizes: readonly [number, number, number],
  ) =>
    ((p * (1 - p)) / sizes[0] +
      (theta ** 2 * se * (1 - se)) / sizes[1] +
      ((1 - theta) ** 2 * sp * (1 - sp)) / sizes[2]) /
    (se + sp - 1) ** 2;
  const se = Math.sqrt(variance(corrected, raw, sensitivity, specificity, [n, n1, n0]));
  // The same with enlarged counts; the centre moves because the estimate is a ratio.
  const [p, sens, spec] = [(x + z ** 2 / 2) / (n + z ** 2), (s + 1) / (n1 + 2), (t + 1) / (n0 + 2)];
  const theta = clipShare((p + spec - 1) / (sens + spec - 1));
  const half = z * Math.sqrt(variance(theta, p, sens, spec, [n + z ** 2, n1 + 2, n0 + 2]));
  const moved =
    theta +
    2 * z ** 2 * ((theta * sens * (1 - sens)) / (n1 + 2) - ((1 - theta) * spec * (1 - spec)) / (n0 + 2));
  return {
    ...known,
    unclipped,
    corrected,
    clipped: unclipped < 0 || unclipped > 1,
    delta: { se, lower: clipShare(unclipped - z * se), upper: clipShare(unclipped + z * se) },
    adjusted: { lower: clipShare(moved - half), upper: clipShare(moved + half) },
    reason: null,
  };
}
