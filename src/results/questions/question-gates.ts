import { checkGate } from '../gates/check-gate.ts';
import type { Gate } from '../gates/expression.ts';
import type { GateVerdict } from '../gates/verdict.ts';
import type { RunResult } from '../run-result.ts';

/** The names that a condition on a run can use. */
export function gateNames({ metricScores }: Pick<RunResult, 'metricScores'>): string[] {
  return metricScores.map(({ name }) => name);
}

/** Whether a run of open questions meets its conditions. */
export function checkQuestionGates(gates: readonly Gate[], { card }: Pick<RunResult, 'card'>): GateVerdict[] {
  return gates.map((gate) => checkGate(gate, card));
}
