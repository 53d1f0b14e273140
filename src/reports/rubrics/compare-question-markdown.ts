import type { ItemFlip, QuestionComparison, QuestionPair } from '../../results/index.ts';
import { markdownTable } from '../comparison-table.ts';
import { markdownText } from '../markdown-text.ts';
import type { ReportOptions } from '../report-options.ts';
import {
  FLIP_TITLES,
  flipCells,
  modelNote,
  modelTables,
  PAIR_TITLES,
  pairCells,
  questionCompareMethod,
} from './compare-question-cells.ts';

/** A comparison on open questions that pastes into a paper or a pull request. */
export function compareQuestionMarkdown(
  comparison: QuestionComparison,
  { verdicts = [] }: ReportOptions = {},
): string {
  const { models, warnings, pairs } = comparison;
  const parts = [
    `# ${markdownText(comparison.suiteName)}: ${models.length} models\n`,
    `${models.map((model) => `- ${markdownText(model.name)}: ${markdownText(modelNote(model))}\n`).join('')}`,
    ...modelTables(comparison).flatMap(({ title, columns, rows }) => [
      `## ${markdownText(title)}\n`,
      markdownTable(
        ['model', ...columns.map(markdownText)],
        rows.map(({ model, cells }) => [markdownText(model.name), ...cells.map(markdownText)]),
      ),
    ]),
    ...(warnings.length === 0
      ? []
      : [
          '## Before quoting a number\n',
          warnings.map(({ message }) => `- ${markdownText(message)}\n`).join(''),
        ]),
    ...pairs.map(pairPart),
    ...(verdicts.length === 0
      ? []
      : [
          `## Conditions\n\n${verdicts.map(({ text, status, message }) => `- **${status}** ${markdownText(text)}: ${markdownText(message)}\n`).join('')}`,
        ]),
    `${markdownText(questionCompareMethod(comparison))}\n`,
    `Suite hash: \`${comparison.suiteHash}\`\n`,
  ];
  return parts.join('\n');
}

function pairPart({ model, baseline, scores, flips }: QuestionPair): string {
  return [
    `## ${markdownText(model)} against ${markdownText(baseline)}\n`,
    markdownTable(
      ['score', ...PAIR_TITLES, 'in words'],
      scores.map((score) => [markdownText(score.label), ...pairCells(score), markdownText(score.inWords)]),
      ['score', 'in words'],
    ),
    `Items scored in both: ${flips.nCompared}.\n`,
    flipPart(`Only ${baseline} right`, flips.onlyBaselineRight),
    flipPart(`Only ${model} right`, flips.onlyModelRight),
  ].join('\n');
}

function flipPart(title: string, flips: readonly ItemFlip[]): string {
  if (flips.length === 0) return `${markdownText(title)}: 0.\n`;
  return [
    `${markdownText(title)}: ${flips.length}.\n`,
    markdownTable(
      ['question', ...FLIP_TITLES],
      flips.map((flip) => flipCells(flip).map(markdownText)),
      ['question', ...FLIP_TITLES],
    ),
  ].join('\n');
}
