import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { calibrateTraits, type JudgeCalibration } from '../../rubrics/calibration/judge-calibration.ts';
import type { CalibrationPair } from '../../rubrics/calibration/judge-gate-status.ts';
import { VERDICTS } from '../../rubrics/verdict.ts';
import { DEFAULT_SEED } from '../../statistics/score-options.ts';
import type { Review } from '../../store/review/review-schema.ts';
import type { JudgedAnswer } from '../judging/judged-answers.ts';
import type { MetricTraitSummary } from '../judging/summarise-traits.ts';
import { isUndecidable, measureAgreement, ratedByTwo, raterAgreementSchema } from './agreement.ts';
import { agreementDifference, agreementDifferenceSchema } from './agreement-difference.ts';
import { type CorrectedScore, correctedScoreSchema, correctedScores } from './corrected-scores.ts';
import { type DrawnLabels, drawnLabels, drawnPlan, drawnPlanSchema } from './drawn-labels.ts';
import { labelCountsSchema, type ReviewedTarget } from './resolve-targets.ts';
import { type ReviewedItem, reviewedItems } from './reviewed-items.ts';

const groupAgreementSchema = z.object({
  /** Null: all metric traits. */
  trait: z.string().nullable(),
  /** People with each other, on their first labels; null where no item has two. */
  people: raterAgreementSchema.nullable(),
  /** The judge with what people settled on; null without labels. */
  judge: raterAgreementSchema.nullable(),
  /** Both on the same items; null where no item has two raters and a verdict of the judge. */
  sameItems: agreementDifferenceSchema.nullable(),
  /** Whether people agree so little that no judge can be called calibrated on these items. */
  notDecidable: z.boolean(),
});
/** Agreement on the items of one trait, or of all. */
export type GroupAgreement = Shape<typeof groupAgreementSchema>;

const itemToRewriteSchema = z.object({
  itemId: z.string(),
  trait: z.string(),
  instruction: z.string(),
  nLabels: count,
  nUnclear: count,
  /** Labels on items whose raters differ, the unclear ones apart. */
  nDisputed: count,
});
export const itemReviewSchema = z.object({
  counts: labelCountsSchema,
  /** Items by what their labels come to. */
  states: z.record(z.string(), count),
  nRaters: count,
  /** The plan whose labels correct scores; null where no label was drawn. */
  plan: drawnPlanSchema.nullable(),
  /** Over all metric traits, then trait by trait where there are several. */
  agreement: z.array(groupAgreementSchema),
  /** Rubric lines of which 20 % or more of the labels are unclear or in dispute. */
  itemsToRewrite: z.array(itemToRewriteSchema),
  corrected: z.array(correctedScoreSchema),
  /** Whether the labels are on the answers of another run, and only the judge's error rates are carried over. */
  isTransported: z.boolean(),
});
/** What people say of the items of judged answers, and what that says of the judge. */
export interface ItemReview extends Shape<typeof itemReviewSchema> {
  /** The judge against people; null without a usable pair. */
  readonly calibration: JudgeCalibration | null;
  readonly corrected: readonly CorrectedScore[];
}

/** Of the labels on a line, from which share on it is listed. */
const REWRITE_SHARE = 0.2;

interface Facts {
  readonly answers: readonly JudgedAnswer[];
  readonly metricTraits: readonly MetricTraitSummary[];
  readonly sameInstrument: boolean;
  readonly level: number;
}

/** Agreement, calibration and corrected scores of a run of open questions, from what people said of its items. */
export function itemReview(
  review: Pick<Review, 'events' | 'draws' | 'plans'>,
  { answers, metricTraits, sameInstrument, level }: Facts,
): ItemReview {
  const { counts, items } = reviewedItems(review, answers);
  const settled = items.filter(({ human }) => human !== null && human !== 'unclear');
  const drawn = drawnLabels(review, settled);
  const traits = [...new Set(metricTraits.map(({ name }) => name))];
  const agreement = [null, ...(traits.length > 1 ? traits : [])].map((trait) =>
    groupAgreement(trait, items, level),
  );
  return {
    counts,
    isTransported: false,
    states: countStates(items),
    nRaters: new Set(items.flatMap(({ raters }) => raters)).size,
    plan: drawn && drawnPlan(drawn),
    agreement,
    itemsToRewrite: itemsToRewrite(items),
    calibration: calibrate(items, traits, agreement, drawn, { sameInstrument, level }),
    corrected: correctedScores({
      answers,
      metricTraits,
      reviewed: items,
      drawn,
      hasLabels: counts.n > 0,
      nDoubleRated: agreement[0]!.people?.n ?? 0,
      sameInstrument,
      level,
    }),
  };
}

/** How many targets are in each state. */
export function countStates(targets: readonly Pick<ReviewedTarget, 'state'>[]): Record<string, number> {
  const states = Map.groupBy(targets, ({ state }) => state);
  return Object.fromEntries([...states].map(([state, group]) => [state, group.length]).sort());
}

function groupAgreement(trait: string | null, items: readonly ReviewedItem[], level: number): GroupAgreement {
  const own = items.filter(({ item }) => trait === null || item.traitName === trait);
  const options = { categories: VERDICTS, positive: 'present', level };
  const double = own.filter(({ first }) => first.length > 1);
  const people = measureAgreement(
    own.flatMap(({ first, recordId }) => ratedByTwo(first, recordId)),
    options,
  );
  const judged = own.flatMap(({ human, judge, recordId }) =>
    human === null || judge === null ? [] : [{ a: human, b: judge, question: recordId }],
  );
  const triples = double.flatMap(({ first, judge, recordId }) =>
    judge === null
      ? []
      : [
          {
            people: [first[0]!.decision, first[1]!.decision] as const,
            judge,
            question: recordId,
          },
        ],
  );
  return {
    trait,
    people,
    judge: measureAgreement(judged, options),
    sameItems: agreementDifference(triples, { categories: VERDICTS, level, seed: DEFAULT_SEED }),
    notDecidable: isUndecidable(people),
  };
}

function itemsToRewrite(items: readonly ReviewedItem[]): Shape<typeof itemToRewriteSchema>[] {
  const groups = Map.groupBy(items, ({ itemId }) => itemId!);
  return [...groups].flatMap(([itemId, group]) => {
    let [nLabels, nUnclear, nDisputed] = [0, 0, 0];
    for (const { first } of group) {
      const isDisputed = new Set(first.map(({ decision }) => decision)).size > 1;
      for (const { decision } of first) {
        nLabels += 1;
        if (decision === 'unclear') nUnclear += 1;
        else if (isDisputed) nDisputed += 1;
      }
    }
    if (nLabels === 0 || nUnclear + nDisputed < REWRITE_SHARE * nLabels) return [];
    const { traitName: trait, instruction } = group[0]!.item;
    return [{ itemId, trait, instruction, nLabels, nUnclear, nDisputed }];
  });
}

/** The rule of `calibrationStatus`, trait by trait, from the labels of one plan. */
function calibrate(
  items: readonly ReviewedItem[],
  traits: readonly string[],
  agreement: readonly GroupAgreement[],
  drawn: DrawnLabels | null,
  options: { readonly sameInstrument: boolean; readonly level: number },
): JudgeCalibration | null {
  const pairs = items.flatMap((reviewed): CalibrationPair[] => {
    const pi = drawn?.pi(reviewed) ?? null;
    if (pi === null || reviewed.raters.length === 0) return [];
    return [
      {
        traitName: reviewed.item.traitName,
        question: reviewed.recordId,
        isDoubleRated: reviewed.first.length > 1,
        inclusionProbabilities: [pi],
        human: reviewed.human,
        judge: reviewed.judge,
      },
    ];
  });
  const isUndecidable = (name: string) =>
    agreement.some(({ trait, notDecidable }) => notDecidable && (trait === null || trait === name));
  const found = calibrateTraits(pairs, traits, { ...options, notDecidable: traits.filter(isUndecidable) });
  return found.overall.nCompared === 0 ? null : found;
}
