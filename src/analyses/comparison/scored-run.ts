import type { EvaluationResult } from '../../core/evaluation-result.ts';
import { isScored } from '../../core/states.ts';
import { type RowTable, RowTableBuilder, type TableOptions } from '../../metrics/columns.ts';

/** The rows of one run in columns, and why a record has rows that are not scored. */
export interface ScoredRun {
  readonly table: RowTable;
  /** Records with a row that failed or never ran; a failure is said before a row that never ran. */
  readonly unscored: ReadonlyMap<string, Unscored>;
}

export type Unscored = 'failed' | 'not_run';

/** Collects the rows of a run one by one; no row is kept as an object. */
export class ScoredRunBuilder {
  readonly #table: RowTableBuilder;
  readonly #unscored = new Map<string, Unscored>();

  constructor(options: TableOptions = {}) {
    this.#table = new RowTableBuilder(options);
  }

  add(row: EvaluationResult): void {
    this.#table.add(row);
    if (row.id === null || isScored(row.state)) return;
    if (row.state === 'failed') this.#unscored.set(row.id, 'failed');
    else if (!this.#unscored.has(row.id)) this.#unscored.set(row.id, 'not_run');
  }

  finish(): ScoredRun {
    return { table: this.#table.finish(), unscored: this.#unscored };
  }
}

export function scoredRun(rows: Iterable<EvaluationResult>, options: TableOptions = {}): ScoredRun {
  const builder = new ScoredRunBuilder(options);
  for (const row of rows) builder.add(row);
  return builder.finish();
}
