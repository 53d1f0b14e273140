import type { SealKey } from '../../store/keys.ts';
import type { Gate } from './expression.ts';

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
