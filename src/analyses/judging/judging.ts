import { z } from 'zod';
import { count, type Shape, snakeKeys, toFile } from '../../core/codec.ts';
import { rubricScoreSchema, type Score, scoreSchema } from '../../core/score.ts';
import { claimReportSchema } from './claims.ts';
import type { ItemScores } from './item-scores/item-scores.ts';
import { type JudgeReport, judgeReportSchema } from './judge-report.ts';
import type { JudgedAnswer } from './judged-answers.ts';
import { jurySchema } from './jury.ts';
import { type ListLevelTrait, listLevelTraitSchema } from './list-level.ts';
import {
  type MetricTraitSummary,
  metricTraitSummarySchema,
  type OtherTraitSummary,
  otherTraitSummarySchema,
} from './summarise-traits.ts';

/** A part whose type is below, and whose file form is written by its own function. */
const written = z.custom<object>((value) => typeof value === 'object');

const judgingFields = z.object({
  judge: written,
  metricTraits: written,
  otherTraits: written,
  /** The jury whose verdicts are scored; null for a single judge. */
  jury: jurySchema.nullable(),
  /** Scores by what items weigh: points, critical items, harm, contradictions; over all, by axis and by tag. */
  itemScores: written,
  /** Claims that match no item, checked against a source; null where no source was given. */
  claims: claimReportSchema.nullable(),
  /** Metric traits by the judge's own lists, where the second protocol was asked for as well. */
  listLevel: z.array(listLevelTraitSchema),
  /** Answer rate, abstention rate, and how abstaining agrees with `should_abstain`. */
  abstention: z.array(scoreSchema),
  /** In the order of the suite, repeat by repeat. */
  answers: written,
  /** Where answers were sent to be judged; null where nothing left the machine. */
  judgeEgress: z.record(z.string(), z.unknown()).nullable(),
  /** The pass of the judge that is scored; the others show how reliable it is. */
  scoredPass: count,
  /** How many labels of people were given to calibrate the judge; null where none were. */
  nLabels: count.nullable(),
  /** Whether the run was started with conditions that accept a judge that is not calibrated. */
  isUncalibratedAllowed: z.boolean(),
});
/** What the judge said of the answers to open questions. */
export interface Judging extends Shape<typeof judgingFields> {
  readonly judge: JudgeReport;
  readonly metricTraits: readonly MetricTraitSummary[];
  readonly otherTraits: readonly OtherTraitSummary[];
  readonly itemScores: ItemScores;
  readonly listLevel: readonly ListLevelTrait[];
  readonly answers: readonly JudgedAnswer[];
}
export const judgingSchema = judgingFields as z.ZodType as z.ZodType<Judging>;

const abstentionSchema = scoreSchema.omit({
  family: true,
  reads: true,
  breakdown: true,
  scoredOf: true,
  facts: true,
});

/** What judges said, in the keys of the JSON reports. */
export function judgingObject(judging: Judging) {
  const { judge, jury, itemScores, listLevel, claims, abstention } = judging;
  return {
    judge: { ...toFile(judgeReportSchema, judge), calibrated: judge.status === 'calibrated' },
    jury: jury && toFile(jurySchema, jury),
    item_scores: itemScoresObject(itemScores),
    list_level: listLevel.map((trait) => toFile(listLevelTraitSchema, trait)),
    claims: claims && toFile(claimReportSchema, claims),
    traits: traitObjects(judging),
    metrics: Object.fromEntries(abstention.map((score) => [score.name, toFile(abstentionSchema, score)])),
  };
}

/** The traits of all kinds over all questions, in file form. */
export function traitObjects({ metricTraits, otherTraits }: Pick<Judging, 'metricTraits' | 'otherTraits'>) {
  return [
    ...metricTraits.map((summary) => ({
      ...toFile(metricTraitSummarySchema, summary),
      source: 'metric' as const,
    })),
    ...otherTraits.map((summary) => toFile(otherTraitSummarySchema, summary)),
  ];
}

/** Scores over items, by name, over all and by group, in file form. */
export function itemScoresObject({ scores, groups, harmWeights }: ItemScores) {
  const byName = (own: readonly Score[]) =>
    Object.fromEntries(
      own.map((score) => [score.name, { ...toFile(rubricScoreSchema, score), ...score.details }]),
    );
  return {
    scores: byName(scores),
    clipping: 'overall',
    harm_weights: harmWeights.map(snakeKeys),
    groups: groups.map(({ scores: own, ...group }) => ({ ...snakeKeys(group), scores: byName(own) })),
  };
}
