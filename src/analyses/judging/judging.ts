import { z } from 'zod';
import { count, type Shape, snakeKeys, toFile } from '../../core/codec.ts';
import { rubricScoreSchema, type Score, scoreSchema } from '../../core/score.ts';
import { claimReportSchema } from './claims.ts';
import { type ItemScores, itemScoresSchema } from './item-scores/item-scores.ts';
import { fullJudgeReportSchema, judgeReportSchema } from './judge-report.ts';
import type { JudgedAnswer } from './judged-answers.ts';
import { jurySchema } from './jury.ts';
import { fullListLevelTraitSchema, listLevelTraitSchema } from './list-level.ts';
import {
  metricTraitSchema,
  metricTraitSummarySchema,
  otherTraitSchema,
  otherTraitSummarySchema,
} from './summarise-traits.ts';

/** One answer with all that was said of it. Reports and comparisons count it; JSON has it question by question. */
const judgedAnswerSchema = z.custom<JudgedAnswer>((value) => typeof value === 'object' && value !== null);

export const judgingFields = z.object({
  judge: fullJudgeReportSchema,
  metricTraits: z.array(metricTraitSchema),
  otherTraits: z.array(otherTraitSchema),
  /** The jury whose verdicts are scored; null for a single judge. */
  jury: jurySchema.nullable(),
  /** Scores by what items weigh: points, critical items, harm, contradictions; over all, by axis and by tag. */
  itemScores: itemScoresSchema,
  /** Claims that match no item, checked against a source; null where no source was given. */
  claims: claimReportSchema.nullable(),
  /** Metric traits by the judge's own lists, where the second protocol was asked for as well. */
  listLevel: z.array(fullListLevelTraitSchema),
  /** Answer rate, abstention rate, and how abstaining agrees with `should_abstain`. */
  abstention: z.array(scoreSchema),
  /** In the order of the suite, repeat by repeat. */
  answers: z.array(judgedAnswerSchema),
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
