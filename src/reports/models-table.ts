import { plain } from '../core/index.ts';
import type { RunResult } from '../results/index.ts';
import { columnsFor, shownScore } from './headline-names.ts';
import { borderlessTable } from './layout/borderless-table.ts';
import MODEL_COLUMNS from './model-columns.json' with { type: 'json' };
import { scoreCell } from './score-cell.ts';
import { scoreOf } from './words.ts';

const MANY_INVALID = 0.05;

type Listed = Pick<RunResult, 'backendName' | 'card' | 'extras'>;

/** Models side by side, in the order given: models are not ranked by one number. A narrow terminal gets the metrics that a safety team needs first. */
export function modelsTable(runs: readonly Listed[], width: number): string {
  const metrics = columnsFor(
    MODEL_COLUMNS.run,
    runs.map(({ card }) => card),
  );
  const column = (title: string, of: (run: Listed) => string, isSpare: boolean) => ({
    title,
    isNumber: true,
    isSpare,
    cells: runs.map(of),
  });
  // Invalid replies of a model with a prompt are not answers, and show only there.
  const hasInvalid = runs.some(
    ({ card, extras }) =>
      (extras.n_prompts_captured ?? 1) > 0 && (scoreOf(card, 'invalid_rate')?.value ?? 0) > MANY_INVALID,
  );
  const isSpare = (metric: string) =>
    MODEL_COLUMNS.run_spare.includes(metric) && !(metric === 'usable_answer_rate' && hasInvalid);
  // Where all models have the same number of rows, the title says it.
  const isSame = new Set(runs.map(({ card }) => card.nScored)).size === 1;
  const columns = [
    { title: 'model', isNumber: false, cells: runs.map(({ backendName }) => plain(backendName)) },
    column('n', ({ card }) => String(card.nScored), isSame),
    ...metrics.map(([metric, title]) =>
      column(title, ({ card }) => scoreCell(shownScore(card.scores, metric)), isSpare(metric)),
    ),
  ];
  return `${borderlessTable(columns, width).join('\n')}\n`;
}
