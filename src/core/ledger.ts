import { isContradiction } from './decision-class.ts';
import type { EvaluationResult } from './evaluation-result.ts';
import { sameLabel } from './label.ts';
import { isPartlyRight } from './states.ts';

/**
 * How many rows ended how: a flat object of integers whose classes sum to `n`. Rows with a label to compare with end in `answered_correct`, `answered_wrong` or `invalid`; answers in
 * text and answers of rows without a label end in `answered`, neither right nor wrong. `failed_<reason>` classes appear as they occur.
 */
export interface Ledger {
  n: number;
  answered_correct?: number;
  answered_wrong?: number;
  answered?: number;
  abstained: number;
  invalid?: number;
  refused: number;
  not_run: number;
  [failed: `failed_${string}`]: number;
}

export type LedgerClass = Exclude<keyof Ledger, 'n'>;

/** A ledger without rows: all classes of answers with a label, at 0. */
export function emptyLedger(): Ledger {
  return { n: 0, answered_correct: 0, answered_wrong: 0, abstained: 0, invalid: 0, refused: 0, not_run: 0 };
}

/** The same for answers in text, which are neither right nor wrong. */
export function emptyTextLedger(): Ledger {
  return { n: 0, answered: 0, abstained: 0, refused: 0, not_run: 0 };
}

/**
 * The one class a row ends in. An answer where no answer exists is wrong; one of a row without a label is neither right nor wrong.
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
  const { should_abstain: shouldAbstain, must_act: mustAct } = row.metadata;
  const hasNoAnswer = shouldAbstain === true && !isContradiction(mustAct, shouldAbstain);
  if ((row.groundTruth === null && !hasNoAnswer) || isPartlyRight(row)) return 'answered';
  const right =
    row.groundTruth !== null && row.prediction !== null && sameLabel(row.prediction, row.groundTruth);
  return right ? 'answered_correct' : 'answered_wrong';
}

/**
 * The one class an answer in text ends in. The judge says whether it abstains; while that is unknown, the row counts as failed, unless its judge was not to say it.
 *
 * @example
 * ```ts
 * textClass({ state: 'answered', stateReason: null, abstained: true, abstainedReason: null }) // => 'abstained'
 * textClass({ state: 'answered', stateReason: null, abstained: null, abstainedReason: 'not_judged' }) // => 'failed_not_judged'
 * textClass({ state: 'answered', stateReason: null, abstained: null, abstainedReason: 'not_asked' }) // => 'answered'
 * textClass({ state: 'failed', stateReason: 'timeout', abstained: null, abstainedReason: null }) // => 'failed_timeout'
 * ```
 */
export function textClass(
  answer: Pick<EvaluationResult, 'state' | 'stateReason'> & {
    readonly abstained: boolean | null;
    readonly abstainedReason: string | null;
  },
): LedgerClass {
  const { state, stateReason, abstained, abstainedReason } = answer;
  if (state === 'refused' || state === 'not_run') return state;
  if (state !== 'answered') return `failed_${stateReason ?? 'unknown'}`;
  if (abstainedReason === 'not_asked') return 'answered';
  if (abstained === null) return `failed_${abstainedReason ?? 'judge_error'}`;
  return abstained ? 'abstained' : 'answered';
}

/** Counts one row in its class. */
export function enter(ledger: Ledger, entry: LedgerClass): void {
  ledger[entry] = (ledger[entry] ?? 0) + 1;
  ledger.n += 1;
}

/**
 * How many rows say something about the model: all but those that failed or never ran.
 *
 * @example
 * ```ts
 * nScored({ n: 5, answered: 2, abstained: 1, refused: 0, not_run: 1, failed_timeout: 1 }) // => 3
 * ```
 */
export function nScored(ledger: Ledger): number {
  const failed = Object.entries(ledger).flatMap(([name, n]) => (name.startsWith('failed_') ? [n] : []));
  return failed.reduce((left, n) => left - n, ledger.n - ledger.not_run);
}
