import type { Score } from '../../core/index.ts';
import {
  type ComparedQuestionRun,
  type ComparedScore,
  type ItemFlip,
  type QuestionComparison,
  summaryNames,
} from '../../results/index.ts';
import { pText } from '../compare-columns.ts';
import { otherTraitText, scoreText, words } from './trait-cells.ts';

/** A table of models: what it is about, its columns, and a line for each model. */
export interface ModelTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly model: ComparedQuestionRun; readonly cells: readonly string[] }[];
}

const ABSTENTION = [
  'answer_rate',
  'abstention_rate',
  'deferral_alignment',
  'deferral_recall',
  'deferral_specificity',
];

/** Models side by side: a table for each metric trait, one for the other traits, one for abstention, and what each run took. */
export function modelTables({ models }: QuestionComparison): ModelTable[] {
  const named = models.map((model) => {
    const names = summaryNames(model.metricTraits);
    return { model, traits: new Map(model.metricTraits.map((summary, i) => [names[i]!, summary])) };
  });
  const traits = [...new Set(named.flatMap(({ traits: own }) => [...own.keys()]))];
  const others = [...new Set(models.flatMap(({ otherTraits }) => otherTraits.map(({ name }) => name)))];
  const table = (
    title: string,
    columns: readonly string[],
    cell: (entry: (typeof named)[number], column: string) => string,
  ): ModelTable => ({
    title,
    columns,
    rows: named.map((entry) => ({
      model: entry.model,
      cells: columns.map((column) => cell(entry, column)),
    })),
  });
  return [
    ...traits.map((trait) => {
      const metrics = [
        ...new Set(named.flatMap(({ traits: own }) => Object.keys(own.get(trait)?.metrics ?? {}))),
      ];
      return table(`${trait} (pooled)`, metrics, ({ traits: own }, metric) =>
        cellOf(own.get(trait)?.metrics[metric as 'recall']?.pooled),
      );
    }),
    ...(others.length === 0
      ? []
      : [
          table('Other traits', others, ({ model }, name) => {
            const found = model.otherTraits.find((summary) => summary.name === name);
            return found === undefined ? '-' : otherTraitText(found);
          }),
        ]),
    table('Knows when not to answer (as judged)', ABSTENTION.map(words), ({ model }, column) => {
      const found = model.abstention.find(({ name }) => words(name) === column);
      return cellOf(found);
    }),
    table('What it took', ['questions', 'elapsed (s)', 'tokens', 'cost ($)'], ({ model }, column) => {
      if (column === 'questions') return String(model.nQuestions);
      if (column === 'tokens') return String(model.tokens ?? '-');
      const value = column === 'cost ($)' ? model.costUsd : model.elapsedSeconds;
      return value === null ? '-' : value.toFixed(column === 'cost ($)' ? 4 : 1);
    }),
  ];
}

function cellOf(score: Score | undefined): string {
  return score === undefined ? '-' : scoreText(score);
}

/** What must be known of a model in a table. */
export function modelNote(model: ComparedQuestionRun): string {
  const judge = model.judges.length === 0 ? 'not judged' : `judged by ${model.judges.join(', ')}`;
  return [
    judge,
    ...(model.isCalibrated || model.judges.length === 0 ? [] : ['judge not calibrated']),
    ...(model.simulated ? ['simulated'] : []),
    ...(model.status === 'complete' ? [] : [words(model.status)]),
  ].join(', ');
}

export const PAIR_TITLES = ['n', 'baseline', 'model', 'difference', 'p', 'p (Holm)'];

/** The line of one score in a table of two models. */
export function pairCells(score: ComparedScore): string[] {
  const { difference, interval } = score;
  const range = interval === null ? '' : ` (${interval.lower.toFixed(3)} to ${interval.upper.toFixed(3)})`;
  return [
    String(score.n),
    number(score.baselineValue),
    number(score.modelValue),
    difference === null ? '-' : `${difference.toFixed(3)}${range}`,
    pText(score.p),
    pText(score.pHolm),
  ];
}

export const FLIP_TITLES = ['trait', 'kind', 'instruction', 'baseline', 'model'];

export function flipCells({ id, trait, kind, instruction, baseline, model }: ItemFlip): string[] {
  return [id, trait, kind, instruction, baseline.map(words).join(', '), model.map(words).join(', ')];
}

/** How models were compared, in a few sentences for a paper. */
export function questionCompareMethod({ method }: QuestionComparison): string {
  const level = Math.round(method.level * 1000) / 10;
  return [
    'Differences are model minus baseline, means over the questions that have a value in both runs, by the items that both have scored.',
    `Intervals: ${level} % percentile bootstrap over questions (${method.resamples} resamples, seed ${method.seed}, ${method.generator}), not adjusted.`,
    `Tests: sign-flip permutation over questions, Holm over all ${method.nTests} tests of this comparison.`,
    `Detectable differences: power ${Math.round(method.power * 100)} % at the observed spread.`,
  ].join(' ');
}

function number(value: number | null): string {
  return value === null ? '-' : value.toFixed(3);
}
