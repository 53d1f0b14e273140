import type { JudgedAnswer } from './judged-answer.ts';

/** How many rows ended how. The classes sum to `n`; `failed_<reason>` classes appear as they occur. An answer of which nobody can say whether it abstains has failed on us. */
export interface RowLedger {
  n: number;
  answered: number;
  abstained: number;
  refused: number;
  not_run: number;
  [failed: `failed_${string}`]: number;
}

export type RowClass = Exclude<keyof RowLedger, 'n'>;

/**
 * The one class a row ends in.
 *
 * @example
 * ```ts
 * rowClass({ state: 'answered', stateReason: null, abstained: true, abstainedReason: null }) // => 'abstained'
 * rowClass({ state: 'answered', stateReason: null, abstained: null, abstainedReason: 'not_judged' }) // => 'failed_not_judged'
 * rowClass({ state: 'failed', stateReason: 'timeout', abstained: null, abstainedReason: null }) // => 'failed_timeout'
 * ```
 */
export function rowClass(
  answer: Pick<JudgedAnswer, 'state' | 'stateReason' | 'abstained' | 'abstainedReason'>,
): RowClass {
  const { state, stateReason, abstained, abstainedReason } = answer;
  if (state === 'refused' || state === 'not_run') return state;
  if (state !== 'answered') return `failed_${stateReason ?? 'unknown'}`;
  if (abstained === null) return `failed_${abstainedReason ?? 'judge_error'}`;
  return abstained ? 'abstained' : 'answered';
}

export function rowLedger(answers: readonly JudgedAnswer[]): RowLedger {
  const ledger: RowLedger = { n: 0, answered: 0, abstained: 0, refused: 0, not_run: 0 };
  for (const answer of answers) {
    const entry = rowClass(answer);
    ledger[entry] = (ledger[entry] ?? 0) + 1;
    ledger.n += 1;
  }
  return ledger;
}
