import type { JudgeGateReason } from '../../rubrics/calibration/judge-gate-status.ts';
import type { SealKey } from '../../store/keys.ts';
import type { Gate } from './expression.ts';

/** What became of one condition that a run has to meet. */
export interface GateVerdict {
  /** The condition as it was written. */
  readonly text: string;
  /** The model that it is about, where a command checks several. */
  readonly model?: string;
  readonly status: 'pass' | 'fail' | 'undecided';
  readonly message: string;
  /**
   * `fail_not_shown`: the value meets the condition, but the bound of its interval does not. Of a run that stops early: `fail_shown`, the value lies on the wrong side;
   * `fail_unreachable`, the records left could not change it; `fail_not_shown`, all were asked. Undecided: `failed_rows` could have put it on the other side; `urgency_not_asked`; `confidence_inverted`, no threshold on it is safe;
   * `nothing_asked`, every answer is from an earlier start of the run; `cached_replies`, replies come from the cache;
   * `unsealed`, `unverified` or `unsigned`, a run file that it rests on; of a judged score, why its judge decides nothing. Default: none.
   */
  readonly reason?:
    | 'fail_not_shown'
    | 'fail_shown'
    | 'fail_unreachable'
    | 'failed_rows'
    | 'urgency_not_asked'
    | 'confidence_inverted'
    | 'nothing_asked'
    | 'cached_replies'
    | 'unsealed'
    | 'unverified'
    | 'unsigned'
    | JudgeGateReason;
  /** What to know before relying on the verdict. Default: nothing. */
  readonly warning?: string;
}

/**
 * The exit code of a command with conditions: 1 when one fails, 3 when none fails but one cannot be decided.
 *
 * @example
 * ```ts
 * gateExitCode([{ text: 'a', status: 'undecided', message: '' }, { text: 'b', status: 'fail', message: '' }]) // => 1
 * gateExitCode([]) // => 0
 * ```
 */
export function gateExitCode(verdicts: readonly GateVerdict[]): 0 | 1 | 3 {
  if (verdicts.some(({ status }) => status === 'fail')) return 1;
  return verdicts.some(({ status }) => status === 'undecided') ? 3 : 0;
}

/** The conditions that a run has to meet. */
export interface GatePlan {
  readonly gates: readonly Gate[];
  /** Whether scores of a judge that is not calibrated decide conditions. Default: false. */
  readonly allowUncalibratedJudge?: boolean | undefined;
  /** Every run file that a condition rests on must be signed by this key, all of it. Default: none has to be signed. */
  readonly publicKey?: SealKey | undefined;
  readonly nonInferior: {
    /** The run to compare with. */
    readonly baseline: string;
    readonly margin: number;
    /** Null: the primary endpoint, else decision accuracy where there is one, else accuracy. */
    readonly metric: string | null;
  } | null;
}

/** Whether there is a condition at all. */
export function hasConditions({ gates, nonInferior }: GatePlan): boolean {
  return gates.length > 0 || nonInferior !== null;
}
