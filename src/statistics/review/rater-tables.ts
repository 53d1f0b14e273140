import { z } from 'zod';
import type { Shape } from '../../core/index.ts';
/** Fleiss' kappa with its parts. */
export interface FleissAgreement {
  /** Null where only one category occurs. */
  readonly kappa: number | null;
  readonly observed: number;
  readonly expected: number;
  /** Kappa of each category against the rest; null for one that is never, or always, used. */
  readonly byCategory: readonly (number | null)[];
}

/**
 * Fleiss' kappa overall and by category. `counts[i][j]` is how many raters put item i in category j. Null without items, with fewer than two raters, or with unequal numbers of raters (use
 * `krippendorffAlpha`).
 *
 * @example
 * ```ts
 * fleissAgreement([[0, 3], [1, 2], [3, 0]])!.kappa!.toFixed(6) // => '0.550000'
 * fleissAgreement([[1, 1], [2, 1]]) // => null
 * ```
 */
export function fleissAgreement(counts: readonly (readonly number[])[]): FleissAgreement | null {
  const raters = counts[0]?.reduce((sum, count) => sum + count, 0) ?? 0;
  const isEven = counts.every((row) => row.reduce((sum, count) => sum + count, 0) === raters);
  if (raters < 2 || !isEven) return null;
  const size = Math.max(...counts.map((row) => row.length));
  const n = counts.length;
  const shares = Array.from(
    { length: size },
    (_, j) => counts.reduce((sum, row) => sum + (row[j] ?? 0), 0) / (n * raters),
  );
  const pairs = raters * (raters - 1);
  const observed =
    counts.reduce((sum, row) => sum + row.reduce((own, count) => own + count * (count - 1), 0) / pairs, 0) /
    n;
  const expected = shares.reduce((sum, share) => sum + share ** 2, 0);
  const byCategory = shares.map((share, j) => {
    const apart = counts.reduce((sum, row) => sum + (row[j] ?? 0) * (raters - (row[j] ?? 0)), 0);
    return share === 0 || share === 1 ? null : 1 - apart / (n * pairs * share * (1 - share));
  });
  const kappa = shares.some((share) => share === 1) ? null : (observed - expected) / (1 - expected);
  return { kappa, observed, expected, byCategory };
}

export const binaryAgreementSchema = z.object({
  observed: z.number().nullable(),
  positiveAgreement: z.number().nullable(),
  negativeAgreement: z.number().nullable(),
  prevalenceIndex: z.number().nullable(),
  biasIndex: z.number().nullable(),
  pabak: z.number().nullable(),
  kappa: z.number().nullable(),
  /** The greatest kappa that these margins allow. */
  kappaMax: z.number().nullable(),
});
/** Two raters on a yes-or-no question; null where a denominator is 0. */
export type BinaryAgreement = Shape<typeof binaryAgreementSchema>;

/**
 * Agreement on "present" against the rest: positive and negative agreement, prevalence and bias, PABAK, kappa and the greatest kappa that the margins allow.
 *
 * @example
 * ```ts
 * binaryAgreement({ yesYes: 85, yesNo: 5, noYes: 7, noNo: 3 }).negativeAgreement!.toFixed(6) // => '0.333333'
 * ```
 */
export function binaryAgreement({
  yesYes: a,
  yesNo: b,
  noYes: c,
  noNo: d,
}: Readonly<Record<'yesYes' | 'yesNo' | 'noYes' | 'noNo', number>>): BinaryAgreement {
  const n = a + b + c + d;
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  const observed = share(a + d, n);
  const expected = n === 0 ? 1 : ((a + b) * (a + c) + (c + d) * (b + d)) / n ** 2;
  const most = n === 0 ? 0 : (Math.min(a + b, a + c) + Math.min(c + d, b + d)) / n;
  const beyond = (agreement: number) =>
    1 - expected < 1e-12 ? null : (agreement - expected) / (1 - expected);
  return {
    observed,
    positiveAgreement: share(2 * a, 2 * a + b + c),
    negativeAgreement: share(2 * d, 2 * d + b + c),
    prevalenceIndex: share(a - d, n),
    biasIndex: share(b - c, n),
    pabak: observed === null ? null : 2 * observed - 1,
    kappa: observed === null ? null : beyond(observed),
    kappaMax: observed === null ? null : beyond(most),
  };
}
