import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import {
  aggregateScoreSchema,
  aggregateTrait,
  fullAggregateScoreSchema,
} from '../../rubrics/aggregate/aggregate-trait.ts';
import {
  type ConfusionLists,
  confusionCountsSchema,
  scoreConfusionLists,
} from '../../rubrics/confusion-metrics.ts';
import type { Rubric } from '../../rubrics/rubric.ts';
import { BUCKETS, TRAIT_METRICS } from '../../rubrics/traits/trait.ts';
import { bucketsJudge } from '../../store/judgements.ts';
import type { RunFile } from '../../store/run-file.ts';
import type { QuestionStatistics } from './question-mean.ts';
import type { Judgements } from './stored-judgements.ts';

export const listLevelTraitSchema = z.object({
  trait: z.string(),
  judge: z.string(),
  nQuestions: count,
  counts: confusionCountsSchema,
  metrics: z.partialRecord(z.enum(TRAIT_METRICS), aggregateScoreSchema.omit({ nUndefined: true })),
  /** Answers for which the judge gave no usable lists: in no number. */
  nFailed: count,
  /** The lists as the judge gave them, answer by answer; null where they were not usable. */
  answers: z.array(
    z.object({ questionId: z.string(), lists: z.record(z.enum(BUCKETS), z.array(z.string())).nullable() }),
  ),
});
/** The same with all that code knows of its scores. */
export const fullListLevelTraitSchema = listLevelTraitSchema.extend({
  metrics: z.partialRecord(z.enum(TRAIT_METRICS), fullAggregateScoreSchema),
});
const PREFIX = bucketsJudge('');

/** Scores the lists of the second protocol, trait by trait; empty where no judge was asked for them. */
export function listLevel(
  file: RunFile,
  rubricsOf: (questionId: string) => readonly Rubric[],
  { findName }: Pick<Judgements, 'findName'>,
  options: QuestionStatistics,
): Shape<typeof fullListLevelTraitSchema>[] {
  const listed = file.judgements
    .read()
    .flatMap(({ recordId: questionId, judge, config = '', outcome, rubric }) => {
      if (!judge.startsWith(PREFIX)) return [];
      const traits = rubricsOf(questionId).find(({ hash }) => hash === rubric)?.metricTraits ?? [];
      return (
        (
          outcome as {
            readonly buckets?: readonly { readonly trait: string; readonly lists: ConfusionLists | null }[];
          }
        ).buckets ?? []
      ).flatMap(({ trait: name, lists }) => {
        const trait = traits.find((one) => one.name === name);
        if (trait === undefined) return [];
        const counts = lists && scoreConfusionLists(trait, lists).counts;
        return [{ trait, judge: findName(judge.slice(PREFIX.length), config), questionId, counts, lists }];
      });
    });
  const groups = Map.groupBy(listed, ({ judge, trait }) => `${judge}\n${trait.name}`);
  return [...groups.values()].map((group) => {
    const { trait, judge } = group[0]!;
    const counted = group.flatMap(({ questionId, counts }) => (counts ? [{ questionId, counts }] : []));
    const aggregate = aggregateTrait(trait, counted, options);
    const answers = group.map(({ questionId, lists }) => ({ questionId, lists }));
    return { ...aggregate, trait: trait.name, judge, nFailed: group.length - counted.length, answers };
  });
}
