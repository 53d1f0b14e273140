import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import type { Label } from '../../core/label.ts';
import { estimateErrorSchema } from '../../statistics/methods/corrected-mean.ts';
import {
  binaryAgreement,
  binaryAgreementSchema,
  gwetAc1,
  kappaAgreement,
  krippendorffAlpha,
} from '../../statistics/methods/rater-agreement.ts';

/** With fewer questions an interval of agreement is printed only with the word "few". */
const FEW_QUESTIONS = 20;

const coefficientSchema = estimateErrorSchema.extend({ value: z.number().nullable() });
/** A coefficient of agreement with its interval; null where it is undefined. */
export type Coefficient = Shape<typeof coefficientSchema>;

export const raterAgreementSchema = z.object({
  n: count,
  nQuestions: count,
  /** Fewer than 20 questions: the intervals are too narrow to rely on. */
  isFew: z.boolean(),
  /** The share of items on which both say the same. */
  observed: z.number(),
  kappa: coefficientSchema,
  ac1: coefficientSchema,
  /** Null where it does not apply: a judge is not one of the raters. */
  alpha: coefficientSchema.nullable(),
  /** One category against the rest, with its four counts. */
  binary: binaryAgreementSchema.extend({ yesYes: count, yesNo: count, noYes: count, noNo: count }),
});
/** How far two sides agree on the same items. Intervals take the items of one question together. */
export type RaterAgreement = Shape<typeof raterAgreementSchema>;

/** What two sides say of one item. */
export interface RatedItem {
  readonly a: string;
  readonly b: string;
  /** Everything that raters say of it, for alpha. Default: none. */
  readonly all?: readonly string[];
  readonly question: string;
}

/** An item with the first two of its ratings; none with fewer. */
export function ratedByTwo(
  first: readonly { readonly decision: string }[],
  question: string,
): readonly RatedItem[] {
  const [a, b] = first;
  if (a === undefined || b === undefined) return [];
  return [{ a: a.decision, b: b.decision, all: first.map(({ decision }) => decision), question }];
}

interface AgreementOptions {
  /** The declared categories, not only those that occur. */
  readonly categories: readonly Label[];
  /** The category that positive and negative agreement are about. */
  readonly positive: string;
  readonly level: number;
}

const NO_COEFFICIENT: Coefficient = { value: null, se: null, lower: null, upper: null };

/** Agreement of two sides; null without items. */
export function measureAgreement(
  items: readonly RatedItem[],
  { categories, positive, level }: AgreementOptions,
): RaterAgreement | null {
  if (items.length === 0) return null;
  const clusters = items.map(({ question }) => question);
  const ratings = { a: items.map(({ a }) => a), b: items.map(({ b }) => b), clusters, categories };
  const kappa = kappaAgreement(ratings, { level })!;
  const nQuestions = new Set(clusters).size;
  const count = (a: boolean, b: boolean) =>
    items.filter((item) => (item.a === positive) === a && (item.b === positive) === b).length;
  const counts = {
    yesYes: count(true, true),
    yesNo: count(true, false),
    noYes: count(false, true),
    noNo: count(false, false),
  };
  const alpha = items.every(({ all }) => all === undefined)
    ? null
    : krippendorffAlpha(
        items.map(({ all = [] }) => all),
        { clusters, level },
      );
  return {
    n: items.length,
    nQuestions,
    isFew: nQuestions < FEW_QUESTIONS,
    observed: kappa.observed,
    kappa: coefficient(kappa),
    ac1: coefficient(gwetAc1(ratings, { level })),
    alpha: alpha && coefficient({ ...alpha, value: alpha.alpha }),
    binary: { ...binaryAgreement(counts), ...counts },
  };
}

function coefficient(found: Coefficient | null): Coefficient {
  if (found === null) return NO_COEFFICIENT;
  const { value, se, lower, upper } = found;
  return { value, se, lower, upper };
}

/** Below this, agreement of people is too low for an item set to be decided as it is written. */
const DECIDABLE = 0.6;

/** Whether people agree so little that the items cannot be decided as written: the upper bounds of kappa and of AC1 are both below 0.6. */
export function isUndecidable(people: RaterAgreement | null): boolean {
  const isBelow = ({ upper }: Coefficient) => upper !== null && upper < DECIDABLE;
  return people !== null && isBelow(people.kappa) && isBelow(people.ac1);
}
