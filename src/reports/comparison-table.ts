import type { MetricScore } from '../metrics/index.ts';
import type { RunReport } from '../results/index.ts';
import { markdownText } from './markdown-text.ts';

/** What belongs into a table of models: never accuracy alone. */
const COLUMNS: readonly [metric: string, title: string][] = [
  ['decision_accuracy', 'decision accuracy'],
  ['accuracy', 'accuracy'],
  ['balanced_accuracy', 'balanced accuracy'],
  ['selective_accuracy', 'selective accuracy'],
  ['abstention_rate', 'abstention rate'],
  ['answer_rate', 'coverage'],
  ['deferral_alignment', 'deferral alignment'],
  ['expected_calibration_error', 'ECE'],
  ['augrc', 'AUGRC'],
];

/** Models as lines of a Markdown table, in the order given, each number with its interval. */
export function comparisonTable(reports: readonly RunReport[]): string {
  const titles = ['model', 'n', ...COLUMNS.map(([, title]) => title), 'elapsed (s)', 'tokens'];
  const rows = reports.map(({ backendName, card, extras }) => [
    markdownText(backendName),
    String(card.nScored),
    ...COLUMNS.map(([metric]) => cell(card.scores.find(({ name }) => name === metric))),
    extras.elapsed_seconds === null ? '-' : extras.elapsed_seconds.toFixed(1),
    String(extras.token_total ?? '-'),
  ]);
  return markdownTable(titles, rows);
}

/** A table whose cells are Markdown already. Words stand at the left, numbers at the right, where they can be compared. */
export function markdownTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  words: readonly string[] = [titles[0]!],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const rule = titles.map((title) => (words.includes(title) ? '---' : '---:'));
  return [titles, rule, ...rows].map(line).join('');
}

function cell(score: MetricScore | undefined): string {
  if (score === undefined || score.value === null) return '-';
  const { interval } = score;
  const range = interval === null ? '' : ` (${interval.lower.toFixed(3)} to ${interval.upper.toFixed(3)})`;
  return `${score.value.toFixed(3)}${range}`;
}
