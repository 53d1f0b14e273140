import { z } from 'zod';
import { count, type Shape } from '../../core/index.ts';
import { wilsonInterval } from '../wilson.ts';
import { clusterCount } from './cluster-error.ts';
import { wilsonClustered } from './design-effect.ts';
import { horvitzThompson } from './horvitz-thompson.ts';

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

/** One value, how it was drawn, and what it goes together with. */
export interface WeighedValue {
  /** From 0 to 1. */
  readonly value: number;
  readonly pi: number;
  readonly cluster: string;
}

/** The mean of values that were drawn with these probabilities. Intervals take the values of a cluster together: Wilson's for a plain share and where all agree, Student's otherwise. */
export function labelShare(values: readonly WeighedValue[], level: number): LabelShare {
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
