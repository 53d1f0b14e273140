import {
  type AggregateOptions,
  type AggregateScore,
  aggregateTrait,
  type MetricRubricTrait,
  type PooledCounts,
  pooledCounts,
  TRAIT_METRICS,
  type TraitMetric,
} from '../../rubrics/index.ts';
import type { JudgedAnswer } from './judged-answers.ts';
import type { MetricTraitResult } from './score-metric-trait.ts';

/** Traits of one name are one where they count in the same way. */
export type TraitIdentity = Pick<MetricRubricTrait, 'name' | 'evaluationMode' | 'repeatedExtraction'>;

/** One metric trait over all questions that have it. Traits of different questions are one where they share name and mode; their instructions may differ. */
export interface MetricTraitSummary extends TraitIdentity, PooledCounts {
  /** Whose verdicts it rests on. */
  readonly judges: readonly string[];
  /** Each over the questions that ask for it. */
  readonly metrics: Readonly<Partial<Record<TraitMetric, AggregateScore>>>;
  readonly nItems: number;
  readonly nScored: number;
  readonly nQuestions: number;
  readonly nAnswers: number;
}

interface TraitAnswer {
  readonly answer: JudgedAnswer;
  readonly result: MetricTraitResult;
}

export function summariseMetricTraits(
  answers: readonly JudgedAnswer[],
  options: AggregateOptions,
): MetricTraitSummary[] {
  const results = answers.flatMap((answer) => answer.metricTraits.map((result) => ({ answer, result })));
  const groups = Map.groupBy(results, ({ result }) => traitKey(result.trait));
  return [...groups.values()].map((group) => summarise(group, options));
}

/** The answers that a summary speaks of, each with its score on the trait. */
export function answersWithTrait(answers: readonly JudgedAnswer[], summary: TraitIdentity): TraitAnswer[] {
  const key = traitKey(summary);
  return answers.flatMap((answer) => {
    const result = answer.metricTraits.find(({ trait }) => traitKey(trait) === key);
    return result === undefined ? [] : [{ answer, result }];
  });
}

export function traitKey({ name, evaluationMode, repeatedExtraction }: TraitIdentity): string {
  return JSON.stringify([name.toLowerCase(), evaluationMode, repeatedExtraction]);
}

function summarise(group: readonly TraitAnswer[], options: AggregateOptions): MetricTraitSummary {
  const { trait } = group[0]!.result;
  const metrics = TRAIT_METRICS.flatMap((metric) => {
    const asked = group.filter(({ result }) => result.trait.metrics.includes(metric));
    const counted = asked.map(({ answer, result }) => ({ ...result, questionId: answer.id }));
    if (asked.length === 0) return [];
    return [[metric, aggregateTrait({ ...trait, metrics: [metric] }, counted, options).metrics[metric]!]];
  });
  return {
    name: trait.name,
    evaluationMode: trait.evaluationMode,
    repeatedExtraction: trait.repeatedExtraction,
    judges: [...new Set(group.flatMap(({ result }) => result.judge ?? []))].sort(),
    metrics: Object.fromEntries(metrics),
    ...pooledCounts(group.map(({ result }) => result)),
    nItems: sum(group, ({ result }) => result.items.length),
    nScored: sum(group, ({ result }) => result.nScored),
    nQuestions: new Set(group.map(({ answer }) => answer.id)).size,
    nAnswers: group.length,
  };
}

function sum(group: readonly TraitAnswer[], of: (entry: TraitAnswer) => number): number {
  return group.reduce((total, entry) => total + of(entry), 0);
}
