import { camelKeys, snakeKeys } from '../core/codec.ts';
import {
  meanEValue,
  meanSequence,
  pairedSequence,
  pairedVerdict,
  proportionEValue,
  proportionSequence,
  suiteEValue,
} from '../statistics/methods/e-values.ts';
import {
  curtailedValueGate,
  rowsNeededAllRight,
  sequentialAlpha,
} from '../statistics/methods/early-stop-plan.ts';
import { finishedPrefix, patientMeans, sequentialGate } from '../statistics/methods/sequential-gate.ts';
import type { CaseFunction } from './case-function.ts';

/** Every reference function of gates that stop early, by its name in the file. */
export const sequenceFunctions: Record<string, CaseFunction> = {
  proportion_e_value: ({ successes, n, limit }, { side }) => proportionEValue(successes, n, limit, side),
  proportion_sequence: ({ successes, n }, { alpha_side: alpha }) => proportionSequence(successes, n, alpha),
  mean_e_value: ({ values, limit }, { side }) => meanEValue(values, limit, side),
  mean_sequence: ({ values }, { alpha_side: alpha }) => meanSequence(values, alpha),
  paired_sequence: ({ scores_a: a, scores_b: b }, { alpha_side: alpha }) => pairedSequence(a, b, alpha),
  paired_verdict: ({ scores_a: a, scores_b: b }, params) =>
    pairedVerdict(a, b, camelKeys(params) as { margin: number }),
  suite_e_value: ({ values, limit, suite_size: size }, { side }) => suiteEValue(values, limit, size, side),
  finished_prefix: ({ states }) => finishedPrefix(states),
  patient_means: ({ clusters, values }) => patientMeans(clusters, values),
  sequential_alpha: (inputs, params) =>
    sequentialAlpha(camelKeys(inputs) as { nModels: number; nGates: number }, params),
  sequential_gate: ({ states }, params) => {
    const verdict = sequentialGate(states, camelKeys(params) as Parameters<typeof sequentialGate>[1]);
    return verdict && snakeKeys(verdict);
  },
  rows_needed_all_right: ({ limit }, { alpha_side: alpha }) => rowsNeededAllRight(limit, alpha),
  curtailed_value_gate: ({ right, wrong, rest, limit }) => curtailedValueGate({ right, wrong, rest, limit }),
};
