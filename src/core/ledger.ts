import type { EvaluationResult } from './evaluation-result.ts';
import { sameLabel } from './label.ts';

/**
 * How many rows ended how. A flat object of integers; the classes sum to `n`. `failed_<reason>` classes appear as they
 * occur, the others are always there.
 */
export interface Ledger {
  n: number;
  answered_correct: number;
  answered_wrong: number;
  abstained: number;
  invalid: number;
  refused: number;
  not_run: number;
  [failed: `failed_${string}`]: number;
}

export function emptyLedger(): Ledger {
  return { n: 0, answered_correct: 0, answered_wrong: 0, abstained: 0, invalid: 0, refused: 0, not_run: 0 };
}

type LedgerClass = Exclude<keyof Ledger, 'n'>;

/**
 * The one class a row ends in.
 *
 * @example
 * ```ts
 * ledgerClass(evaluationResult({ groundTruth: 2, prediction: '2' })) // => 'answered_correct'
 * ledgerClass(evaluationResult({ groundTruth: 2, state: 'failed', stateReason: 'timeout' })) // => 'failed_timeout'
 * ```
 */
export function ledgerClass(row: EvaluationResult): LedgerClass {
  if (row.state === 'failed') return `failed_${row.stateReason ?? 'unknown'}`;
  if (row.state !== 'answered') return row.state;
  const right =
    row.groundTruth !== null && row.prediction !== null && sameLabel(row.prediction, row.groundTruth);
  return right ? 'answered_correct' : 'answered_wrong';
}

/** Enters one row. */
export function enter(ledger: Ledger, row: EvaluationResult): void {
  const entry = ledgerClass(row);
  ledger[entry] = (ledger[entry] ?? 0) + 1;
  ledger.n += 1;
}
