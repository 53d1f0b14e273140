import type { MetricScore } from '../metrics/index.ts';
import { borderlessTable, right } from './borderless-table.ts';
import { plain } from './plain-text.ts';

const COLUMNS: readonly [metric: string, title: string][] = [
  ['decision_accuracy', 'decision'],
  ['answer_rate', 'answers'],
  ['selective_accuracy', 'right if answered'],
  ['accuracy', 'accuracy'],
  ['deferral_recall', 'defers if needed'],
  ['expected_calibration_error', 'ECE'],
  ['augrc', 'AUGRC'],
];

/** Models side by side, in the order given: models are not ranked by one number. */
export function modelsTable(
  models: readonly { readonly model: string; readonly n: number; readonly scores: readonly MetricScore[] }[],
): string {
  const rows = models.map(({ model, n, scores }) => [
    plain(model),
    right(String(n)),
    ...COLUMNS.map(([metric]) => right(cell(scores.find(({ name }) => name === metric)))),
  ]);
  return `${borderlessTable('model', [right('n'), ...COLUMNS.map(([, title]) => right(title))], rows)}\n`;
}

function cell(score: MetricScore | undefined): string {
  if (score === undefined || score.value === null) return '-';
  const half =
    score.interval === null ? '' : ` (${score.interval.lower.toFixed(2)}-${score.interval.upper.toFixed(2)})`;
  return `${score.value.toFixed(3)}${half}`;
}
