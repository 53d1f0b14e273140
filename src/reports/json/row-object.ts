import { ledgerClass, snakeKeys } from '../../core/index.ts';
import type { BenchmarkRow } from '../../results/index.ts';

/** A row of a run in its file form; `krisis score` reads it back. */
export function rowObject(row: BenchmarkRow) {
  return { ...snakeKeys(row), ledger_class: ledgerClass(row) };
}
