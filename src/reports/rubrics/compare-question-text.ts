import pc from 'picocolors';
import type { ItemFlip, QuestionComparison, QuestionPair } from '../../results/index.ts';
import { borderlessTable, right } from '../borderless-table.ts';
import { plain } from '../plain-text.ts';
import {
  FLIP_TITLES,
  flipCells,
  modelNote,
  modelTables,
  PAIR_TITLES,
  pairCells,
  questionCompareMethod,
} from './compare-question-cells.ts';

const MOST_FLIPS = 20;

/** A comparison on open questions for people: the models side by side, then each against the baseline, then the items on which they part. */
export function compareQuestionText(comparison: QuestionComparison): string {
  const { models, warnings, pairs, method } = comparison;
  const level = Math.round(method.level * 1000) / 10;
  return [
    `${pc.bold(`${plain(comparison.suiteName)}: ${models.length} models`)} (${level} % intervals; nobody is ranked)`,
    `suite hash ${plain(comparison.suiteHash)}`,
    ...models.map((model) => `  ${plain(model.name)}: ${plain(modelNote(model))}`),
    '',
    ...modelTables(comparison).flatMap(({ title, columns, rows }) => [
      borderlessTable(
        plain(title),
        columns.map((column) => right(plain(column))),
        rows.map(({ model, cells }) => [
          `  ${plain(model.name)}`,
          ...cells.map((cell) => right(plain(cell))),
        ]),
      ),
      '',
    ]),
    ...warnings.map(({ message }) => `${pc.yellow('!')} ${plain(message)}`),
    ...(warnings.length === 0 ? [] : ['']),
    ...pairs.flatMap(pairLines),
    questionCompareMethod(comparison),
    '',
  ].join('\n');
}

function pairLines({ model, baseline, scores, flips }: QuestionPair): string[] {
  const rows = scores.map((score) => [
    `  ${plain(score.label)}`,
    ...pairCells(score).map(right),
    plain(score.inWords),
  ]);
  return [
    pc.bold(`${plain(model)} against ${plain(baseline)}`),
    borderlessTable('', [...PAIR_TITLES.map(right), 'in words'], rows),
    '',
    `items scored in both: ${flips.nCompared}`,
    ...flipLines(`only ${plain(baseline)} right`, flips.onlyBaselineRight),
    ...flipLines(`only ${plain(model)} right`, flips.onlyModelRight),
    '',
  ];
}

function flipLines(title: string, flips: readonly ItemFlip[]): string[] {
  if (flips.length === 0) return [`${title}: 0`];
  const rows = flips.slice(0, MOST_FLIPS).map((flip) => {
    const [id, ...cells] = flipCells(flip);
    return [`  ${plain(id!)}`, ...cells.map(plain)];
  });
  const left = flips.length - MOST_FLIPS;
  return [
    borderlessTable(`${title}: ${flips.length}`, FLIP_TITLES, rows),
    ...(left > 0 ? [`  and ${left} more (--json lists them)`] : []),
  ];
}
