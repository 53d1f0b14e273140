import { z } from 'zod';
import { count, type Shape } from '../../../core/codec.ts';
import { scoreSchema } from '../../../core/score.ts';
import type { Rubric } from '../../../rubrics/rubric.ts';
import { listItems } from '../../../rubrics/traits/metric-trait.ts';
import { defaultResamples } from '../../../statistics/score-options.ts';
import { isGraded } from '../graded.ts';
import type { JudgedAnswer } from '../judged-answers.ts';
import type { QuestionStatistics } from '../question-mean.ts';
import type { ItemResult } from '../score-metric-trait.ts';
import { type MeasuredAnswer, measuredItem, measureScore } from './measure-score.ts';
import { CONTRADICTION, type ItemMeasure, MEASURES } from './measures.ts';

const itemScoreGroupSchema = z.object({
  /** `axis` and `item_tag` choose items, `question_tag` whole questions. */
  by: z.enum(['axis', 'item_tag', 'question_tag']),
  name: z.string(),
  /** Questions with an item in it. */
  nQuestions: count,
  scores: z.array(scoreSchema),
});
/** Scores of one group. */
export type ItemScoreGroup = Shape<typeof itemScoreGroupSchema>;

export const itemScoresSchema = z.object({
  /** Those that the rubric gives something to say to; none where no item has points, a critical flag or a harm grade. */
  scores: z.array(scoreSchema),
  /** The same over the items of one axis or tag, and over the questions with one tag. Groups overlap and do not add up. */
  groups: z.array(itemScoreGroupSchema),
  /** The harm grades of the items, with how many items have each; empty where no item has one. */
  harmWeights: z.array(z.object({ harm: z.number(), nItems: count })),
});
/** Scores over the items of all metric traits, by what each item weighs. */
export type ItemScores = Shape<typeof itemScoresSchema>;

/** The scores over items that a run can have, with intervals over questions. */
export function itemScores(answers: readonly JudgedAnswer[], options: QuestionStatistics): ItemScores {
  const isSaid = (measure: ItemMeasure) => measure !== CONTRADICTION || !isGraded(answers);
  const asked = MEASURES.filter(isSaid).filter((measure) =>
    answers.some(({ metricTraits }) => metricTraits.some(({ items }) => measure.isAskedFor(items))),
  );
  const scores = (own: readonly MeasuredAnswer[], statistics = options) =>
    asked.map((measure) => measureScore(measure, own, statistics));
  return {
    scores: scores(measured(answers)),
    groups: (asked.length === 0 ? [] : findGroups(answers)).map(({ by, name, answers: own, holds }) => {
      const chosen = measured(own, holds);
      return {
        by,
        name,
        nQuestions: new Set(chosen.map(({ questionId }) => questionId)).size,
        scores: scores(chosen, forGroup(options, chosen.length)),
      };
    }),
    harmWeights: harmWeights(answers),
  };
}

/** A suite of thousands of questions can have dozens of groups: they are resampled less often, so that a report does not take minutes. */
function forGroup(options: QuestionStatistics, n: number): QuestionStatistics {
  if (options.resamples !== undefined) return options;
  return { ...options, resamples: Math.min(defaultResamples(n), Math.max(500, Math.round(1e6 / n))) };
}

/** The items of answers; answers without one are left out. */
function measured(
  answers: readonly JudgedAnswer[],
  holds: (item: ItemResult) => boolean = () => true,
): MeasuredAnswer[] {
  return answers.flatMap(({ id, metricTraits }) => {
    const items = metricTraits.flatMap((result) => result.items).filter(holds);
    return items.length === 0 ? [] : [{ questionId: id, items: items.map(measuredItem) }];
  });
}

interface Group extends Pick<ItemScoreGroup, 'by' | 'name'> {
  readonly answers: readonly JudgedAnswer[];
  readonly holds?: (item: ItemResult) => boolean;
}

function findGroups(answers: readonly JudgedAnswer[]): Group[] {
  const items = answers.flatMap(({ metricTraits }) => metricTraits.flatMap((result) => result.items));
  const names = (found: readonly (string | undefined)[]) =>
    [...new Set(found)].filter((name) => name !== undefined).sort();
  return [
    ...names(items.map(({ axis }) => axis)).map(
      (name): Group => ({ by: 'axis', name, answers, holds: ({ axis }) => axis === name }),
    ),
    ...names(items.flatMap(({ tags }) => tags ?? [])).map(
      (name): Group => ({
        by: 'item_tag',
        name,
        answers,
        holds: ({ tags }) => tags?.includes(name) === true,
      }),
    ),
    ...names(answers.flatMap(({ tags }) => tags)).map(
      (name): Group => ({
        by: 'question_tag',
        name,
        answers: answers.filter(({ tags }) => tags.includes(name)),
      }),
    ),
  ];
}

/** Each item once, however many answers it was judged in. */
function harmWeights(answers: readonly JudgedAnswer[]): ItemScores['harmWeights'] {
  const harms = new Map<string, number>();
  let isGraded = false;
  for (const { id, metricTraits } of answers)
    for (const item of metricTraits.flatMap((result) => result.items)) {
      harms.set(`${id} ${item.id}`, item.harm ?? 1);
      isGraded ||= item.harm !== undefined;
    }
  const counted = Map.groupBy(harms.values(), (harm) => harm);
  return isGraded
    ? [...counted].map(([harm, own]) => ({ harm, nItems: own.length })).sort((a, b) => a.harm - b.harm)
    : [];
}

/** The groups that items and questions will form. */
export function groupPlaces(
  rubrics: readonly Rubric[],
  questionTags: readonly string[],
): Pick<ItemScoreGroup, 'by' | 'name'>[] {
  const items = rubrics.flatMap((rubric) => rubric.metricTraits.flatMap(listItems));
  return [
    ...new Set(items.flatMap(({ axis }) => axis ?? []))
      .values()
      .map((name) => ({ by: 'axis', name }) as const),
    ...new Set(items.flatMap(({ tags }) => tags ?? []))
      .values()
      .map((name) => ({ by: 'item_tag', name }) as const),
    ...new Set(questionTags).values().map((name) => ({ by: 'question_tag', name }) as const),
  ];
}

/** The names of the scores that answers will have, before they are judged by these rubrics. */
export function itemScoreNames(rubrics: readonly Rubric[]): string[] {
  const traits = rubrics.flatMap((rubric) => rubric.metricTraits);
  const isAsked = (measure: ItemMeasure) => traits.some((trait) => measure.isAskedFor(listItems(trait)));
  return MEASURES.filter(isAsked).map(({ name }) => name);
}
