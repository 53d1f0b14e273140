import { plain } from '../core/index.ts';
import type { MetricScore } from '../metrics/index.ts';
import type { RunResult } from '../results/index.ts';
import { borderlessTable, right } from './borderless-table.ts';
import { columnsFor } from './headline-names.ts';
import MODEL_COLUMNS from './model-columns.json' with { type: 'json' };
import { scoreOf } from './words.ts';

/** Models side by side, in the order given: models are not ranked by one number. */
export function modelsTable(runs: readonly Pick<RunResult, 'backendName' | 'card'>[]): string {
  const columns = columnsFor(
    MODEL_COLUMNS.run,
    runs.map(({ card }) => card),
  );
  const rows = runs.map(({ backendName, card }) => [
    plain(backendName),
    right(String(card.nScored)),
    ...columns.map(([metric]) => right(cell(scoreOf(card, metric)))),
  ]);
  return `${borderlessTable('model', [right('n'), ...columns.map(([, title]) => right(title))], rows)}\n`;
}

function cell(score: MetricScore | undefined): string {
  if (score?.value == null) return '-';
  const { value, interval } = score;
  const ends = interval === null ? '' : ` (${interval.lower.toFixed(2)}-${interval.upper.toFixed(2)})`;
  return `${value.toFixed(3)}${ends}`;
}
