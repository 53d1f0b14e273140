import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { pick } from '../../core/collections.ts';
import { type Bounds, rubricScoreSchema, scoreSchema } from '../../core/score.ts';
import {
  aggregateScoreSchema,
  aggregateTrait,
  fullAggregateScoreSchema,
  pooledCounts,
} from '../../rubrics/aggregate/aggregate-trait.ts';
import { confusionCountsSchema, openItemsSchema } from '../../rubrics/confusion-metrics.ts';
import type { MetricRubricTrait } from '../../rubrics/traits/metric-trait.ts';
import { EVALUATION_MODES, TRAIT_METRICS, type TraitOutcome } from '../../rubrics/traits/trait.ts';
import { isGraded } from './graded.ts';
import { type MeasuredAnswer, measuredItem, measureScore } from './item-scores/measure-score.ts';
import { CONTRADICTION } from './item-scores/measures.ts';
import type { JudgedAnswer } from './judged-answers.ts';
import type { OtherTraitResult } from './other-traits.ts';
import { type QuestionStatistics, type QuestionValue, questionMean } from './question-mean.ts';
import type { MetricTraitResult } from './score-metric-trait.ts';

/** Traits of one name are one where they count in the same way. */
export type TraitIdentity = Pick<MetricRubricTrait, 'name' | 'evaluationMode' | 'repeatedExtraction'>;

export const metricTraitSummarySchema = z.object({
  name: z.string(),
  evaluationMode: z.enum(EVALUATION_MODES),
  repeatedExtraction: z.boolean(),
  counts: confusionCountsSchema,
  /** Whose verdicts it rests on. */
  judges: z.array(z.string()),
  /** Each over the questions that ask for it. */
  metrics: z.partialRecord(z.enum(TRAIT_METRICS), aggregateScoreSchema),
  /** Of full_matrix: the share of required items that answers deny. The other metrics cannot tell that from leaving them out. Null for tp_only, where precision counts them. */
  contradictionRate: rubricScoreSchema.nullable(),
  nItems: count,
  nScored: count,
  nQuestions: count,
  nAnswers: count,
});
/** The same with all that code knows of its scores. */
export const metricTraitSchema = metricTraitSummarySchema.extend({
  metrics: z.partialRecord(z.enum(TRAIT_METRICS), fullAggregateScoreSchema),
  contradictionRate: scoreSchema.nullable(),
  open: openItemsSchema,
});
/** One metric trait over all questions that have it. Traits of different questions are one where they share name and mode; their instructions may differ. */
export type MetricTraitSummary = Shape<typeof metricTraitSchema>;

export const otherTraitSummarySchema = z.object({
  name: z.string(),
  source: z.string(),
  /** Null for a function that has given no value yet. */
  kind: z.enum(['boolean', 'score', 'literal']).nullable(),
  higherIsBetter: z.boolean(),
  judges: z.array(z.string()),
  /** The share of true, or the mean; null for classes. */
  score: rubricScoreSchema.nullable(),
  /** How many answers are in each class, in the order of the classes; null for everything else. */
  classes: z.array(z.object({ name: z.string(), count })).nullable(),
  nAnswers: count,
  nScored: count,
  /** Answers without a value, by the reason. */
  unscored: z.record(z.string(), count),
});
/** The same with all that code knows of its score. */
export const otherTraitSchema = otherTraitSummarySchema.extend({ score: scoreSchema.nullable() });
/** A trait with one value for each answer, over all questions that have it. */
export type OtherTraitSummary = Shape<typeof otherTraitSchema>;

type Kind = Exclude<TraitOutcome['kind'], 'unscored'>;

/** How a trait came out on one answer. */
interface TraitAnswer<Result> {
  readonly answer: JudgedAnswer;
  readonly result: Result;
}

type MetricGroup = readonly TraitAnswer<MetricTraitResult>[];
type OtherGroup = readonly TraitAnswer<OtherTraitResult>[];

export function summariseMetricTraits(
  answers: readonly JudgedAnswer[],
  options: QuestionStatistics,
): MetricTraitSummary[] {
  const results = answers.flatMap((answer) => answer.metricTraits.map((result) => ({ answer, result })));
  const groups = Map.groupBy(results, ({ result }) => traitKey(result.trait));
  return [...groups.values()].map((group) => summariseMetricTrait(group, options));
}

export function summariseOtherTraits(
  answers: readonly JudgedAnswer[],
  options: QuestionStatistics,
): OtherTraitSummary[] {
  const results = answers.flatMap((answer) => answer.otherTraits.map((result) => ({ answer, result })));
  // Traits of one name are one where their values mean the same.
  const groups = Map.groupBy(results, ({ result: { kind, source, trait } }) =>
    JSON.stringify([trait.name.toLowerCase(), source, trait.higherIsBetter, kind.values(trait)]),
  );
  return [...groups.values()].map((group) => summariseOtherTrait(group, options));
}

/** The answers that a summary speaks of, each with its score on the trait. */
export function answersWithTrait(
  answers: readonly JudgedAnswer[],
  summary: TraitIdentity,
): TraitAnswer<MetricTraitResult>[] {
  const key = traitKey(summary);
  return answers.flatMap((answer) => {
    const result = answer.metricTraits.find(({ trait }) => traitKey(trait) === key);
    return result === undefined ? [] : [{ answer, result }];
  });
}

export function traitKey({ name, evaluationMode, repeatedExtraction }: TraitIdentity): string {
  return JSON.stringify([name.toLowerCase(), evaluationMode, repeatedExtraction]);
}

function listJudges(group: MetricGroup | OtherGroup): string[] {
  return [...new Set(group.flatMap(({ result }) => result.judge ?? []))].sort();
}

function summariseMetricTrait(group: MetricGroup, options: QuestionStatistics): MetricTraitSummary {
  const results = group.map(({ result }) => result);
  const { trait } = results[0]!;
  const metrics = TRAIT_METRICS.flatMap((metric) => {
    const asked = group.filter(({ result }) => result.trait.metrics.includes(metric));
    const counted = asked.map(({ answer, result }) => ({ ...result, questionId: answer.id }));
    if (asked.length === 0) return [];
    return [[metric, aggregateTrait({ ...trait, metrics: [metric] }, counted, options).metrics[metric]!]];
  });
  return {
    ...pick(trait, ['name', 'evaluationMode', 'repeatedExtraction']),
    judges: listJudges(group),
    metrics: Object.fromEntries(metrics),
    contradictionRate:
      trait.evaluationMode === 'full_matrix' && !isGraded([{ metricTraits: results }])
        ? measureScore(CONTRADICTION, group.map(measuredAnswer), options)
        : null,
    ...pooledCounts(results),
    nItems: results.flatMap(({ items }) => items).length,
    nScored: results.reduce((total, { nScored }) => total + nScored, 0),
    nQuestions: new Set(group.map(({ answer }) => answer.id)).size,
    nAnswers: group.length,
  };
}

function measuredAnswer({ answer, result }: MetricGroup[number]): MeasuredAnswer {
  return { questionId: answer.id, items: result.items.map(measuredItem) };
}

function summariseOtherTrait(group: OtherGroup, options: QuestionStatistics): OtherTraitSummary {
  const { source, trait, kind: traitKind } = group[0]!.result;
  const { range, classes } = traitKind.values(trait);
  const kind = findKind(group);
  const unscored = group.flatMap(({ result: { outcome } }) => {
    if (outcome.kind === 'unscored') return [outcome.reason];
    // A function may say a number once and a text another time: the commoner kind counts.
    return outcome.kind === kind ? [] : [`not_a_${kind}`];
  });
  const values = readValues(group, kind);
  const isShare = kind === 'boolean';
  return {
    name: trait.name,
    source,
    kind,
    higherIsBetter: trait.higherIsBetter ?? true,
    judges: listJudges(group),
    score:
      kind === 'literal' || kind === null
        ? null
        : {
            ...questionMean(values, { ...options, isShare }),
            bounds: computeBounds(group, kind, isShare ? { lower: 0, upper: 1 } : (range ?? null)),
          },
    classes: kind === 'literal' ? countClasses(group, classes) : null,
    nAnswers: group.length,
    nScored: values.length,
    unscored: tally(unscored),
  };
}
/** What the kind of trait says its values are; without that, the commonest kind of value. */
function findKind(group: OtherGroup): Kind | null {
  const { kind, trait } = group[0]!.result;
  const known = kind.values(trait).kind;
  if (known !== null) return known;
  const counted = tally(
    group.flatMap(({ result: { outcome } }) => (outcome.kind === 'unscored' ? [] : [outcome.kind])),
  );
  const [commonest] = Object.entries(counted).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return (commonest?.[0] as Kind | undefined) ?? null;
}

/** The values of the answers; `open` is the value of an answer that has none. Default: left out. */
function readValues(group: OtherGroup, kind: Kind | null, open?: number): QuestionValue[] {
  return group.flatMap(({ answer, result: { outcome } }) => {
    const value = outcome.kind === kind ? Number((outcome as { value: unknown }).value) : open;
    return value === undefined ? [] : [{ questionId: answer.id, value }];
  });
}

/** What the mean could have been, had every answer been scored: the open ones at one end of the range, then at the other. Null where all were, or where no range is known. */
function computeBounds(group: OtherGroup, kind: Kind, range: Bounds | null): Bounds | null {
  if (range === null || group.every(({ result }) => result.outcome.kind === kind)) return null;
  const at = (open: number) => {
    return questionMean(readValues(group, kind, open), { level: 0.95, seed: 0, resamples: 0, isShare: false })
      .value!;
  };
  return { lower: at(range.lower), upper: at(range.upper) };
}

function countClasses(
  group: OtherGroup,
  classes: readonly string[] | undefined,
): { name: string; count: number }[] {
  const counted = tally(
    group.flatMap(({ result: { outcome } }) => (outcome.kind === 'literal' ? [outcome.value] : [])),
  );
  const names = classes ?? Object.keys(counted).sort();
  return names.map((name) => ({ name, count: counted[name] ?? 0 }));
}

function tally(names: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(names, (name) => name);
  return Object.fromEntries([...groups].map(([name, group]) => [name, group.length]));
}
