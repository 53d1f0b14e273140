import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { wilsonInterval } from '../proportions.ts';
import { assertSameLength, clipShare } from '../samples.ts';
import { criticalValue } from '../special-functions.ts';
import { type Cluster, clusterCount, clusterError, intervalAround } from './corrected-mean.ts';
import { wilsonClustered } from './label-plan.ts';

/** A label beside the judge's verdict. */
export interface WeighedPair {
  /** Whether people say present. */
  readonly human: boolean;
  /** Whether the judge says present. */
  readonly judge: boolean;
  readonly pi: number;
  readonly question: string;
}

export const labelShareSchema = z.object({
  value: z.number().nullable(),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
  n: count,
});
/** A share of labels; null without any. */
export type LabelShare = Shape<typeof labelShareSchema>;

/**
 * Sensitivity and specificity of a judge. Labels drawn with unequal probabilities, such as by verdict, are weighted by these: plain shares of them would be biased.
 */
export function judgeAccuracy(
  pairs: readonly WeighedPair[],
  level: number,
): { readonly sensitivity: LabelShare; readonly specificity: LabelShare } {
  const share = (isPresent: boolean) => {
    const own = pairs.filter(({ human }) => human === isPresent);
    return labelShare(
      own.map(({ judge, pi, question }) => ({ value: Number(judge === isPresent), pi, cluster: question })),
      level,
    );
  };
  return { sensitivity: share(true), specificity: share(false) };
}

/** The mean of values that were drawn with these probabilities. Intervals take the values of a cluster together: Wilson's for a plain share and where all agree, Student's otherwise. */
export function labelShare(
  values: readonly {
    /** From 0 to 1. */
    readonly value: number;
    readonly pi: number;
    readonly cluster: string;
  }[],
  level: number,
): LabelShare {
  const n = values.length;
  const own = values.map(({ value }) => value);
  const clusters = values.map(({ cluster }) => cluster);
  const isEven = new Set(values.map(({ pi }) => pi)).size < 2;
  const isPlain = isEven && !own.some((value) => value > 0 && value < 1);
  if (isPlain) {
    const found = wilsonClustered(own, clusters, level);
    const value = n === 0 ? null : own.reduce((sum, each) => sum + each, 0) / n;
    return { value, lower: found?.lower ?? null, upper: found?.upper ?? null, n };
  }
  const found = horvitzThompson(
    own,
    values.map(({ pi }) => pi),
    { clusters, level },
  );
  if (found === null) return { value: null, lower: null, upper: null, n };
  const { hajek: value, lower, upper, nEffective } = found;
  if (value !== 0 && value !== 1) return { value, lower, upper, n };
  // All agree, so that Student's interval is a point: Wilson's, on what the labels are worth.
  const size = Math.min(clusterCount(clusters), nEffective);
  const [least, most] = wilsonInterval(value * size, size, level)!;
  return { value, lower: least, upper: most, n };
}

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

/**
 * The mean of labels that were drawn with known, unequal probabilities. Null without labels, or where a probability is not in (0, 1].
 *
 * @example
 * ```ts
 * horvitzThompson([1, 0, 1], [0.1, 0.5, 0.5])!.hajek.toFixed(6) // => '0.857143'
 * horvitzThompson([1], [0]) // => null
 * ```
 */
export function horvitzThompson(
  values: readonly number[],
  probabilities: readonly number[],
  {
    clusters,
    populationSize = null,
    level = 0.95,
  }: {
    readonly clusters?: readonly Cluster[];
    readonly populationSize?: number | null;
    readonly level?: number;
  } = {},
) {
  assertSameLength({ values, probabilities });
  const n = values.length;
  if (n === 0 || probabilities.some((pi) => !(pi > 0 && pi <= 1))) return null;
  const weights = probabilities.map((pi) => 1 / pi);
  const total = weights.reduce((sum, w) => sum + w, 0);
  const weighted = weights.reduce((sum, w, i) => sum + w * values[i]!, 0);
  const hajek = weighted / total;
  const groups = clusters ?? values.map((_, i) => i);
  const se = clusterError(
    weights.map((w, i) => (w * (values[i]! - hajek)) / (total / n)),
    groups,
  );
  return {
    /** Horvitz and Thompson: null where the size of the frame is not known. */
    ht: populationSize === null || !(populationSize > 0) ? null : weighted / populationSize,
    /** Hájek. */
    hajek,
    unweighted: values.reduce((sum, value) => sum + value, 0) / n,
    ...intervalAround(hajek, se, { level, degrees: clusterCount(groups) - 1, range: inferRange(values) }),
    /** Kish: how many equally weighted labels these are worth. */
    nEffective: total ** 2 / weights.reduce((sum, w) => sum + w ** 2, 0),
  };
}

/** A share lies between 0 and 1; other values have no known range. */
function inferRange(values: readonly number[]): readonly [number, number] | null {
  return values.every((value) => value >= 0 && value <= 1) ? [0, 1] : null;
}
