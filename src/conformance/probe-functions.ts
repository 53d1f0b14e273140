import { camelKeys, snakeKeys } from '../core/codec.ts';
import {
  cellMatch,
  clopperPearson,
  completionProbe,
  permutationTest,
} from '../statistics/methods/completion.ts';
import { counterfactualGap, tostPaired } from '../statistics/methods/equivalence.ts';
import {
  confidenceChange,
  decisionShift,
  flipExcess,
  flipRate,
  pairedDifferenceInterval,
} from '../statistics/methods/flips.ts';
import {
  type ContrastRow,
  contrastPairs,
  deferralUptake,
  pressureResponse,
  revisionRate,
} from '../statistics/methods/responses.ts';
import { type CaseFunction, snake } from './case-function.ts';

/** Every reference function of robustness and contamination probes, by its name in the file. */
export const probeFunctions: Record<string, CaseFunction> = {
  flip_rate: ({ pairs }, { level }) => flipRate(pairs, level),
  paired_difference_interval: ({ b, c, n }, { level }) => pairedDifferenceInterval({ b, c, n }, level),
  flip_excess: ({ triples }, { level }) => snake(flipExcess(triples, level)),
  decision_shift: ({ records }, { level }) => decisionShift(records, level),
  clopper_pearson: ({ successes, n }, { level }) => clopperPearson(successes, n, level),
  confidence_change: ({ base, variant }, { level }) => snake(confidenceChange(base, variant, level)),
  pressure_response: ({ rows }, { level }) => snakeKeys(pressureResponse(rows, level)),
  revision_rate: ({ rows }) => snake(revisionRate(rows)),
  deferral_uptake: ({ rows }, { level }) => snakeKeys(deferralUptake(rows, level)),
  contrast_pairs: ({ rows }, { level }) => snake(contrastPairs(rows.map(camelKeys) as ContrastRow[], level)),
  tost_paired: ({ base, variant, clusters }, { margin, alpha }) =>
    tostPaired(base, variant, { margin, alpha, clusters }),
  counterfactual_gap: ({ groups, records }, { margin, alpha, reference }) => {
    const found = counterfactualGap(groups, records, { margin, alpha, reference });
    if (found === null) return null;
    const against = Object.entries(found.againstReference).map(([group, own]) => [group, snakeKeys(own)]);
    return { ...snakeKeys(found), against_reference: Object.fromEntries(against) };
  },
  cell_match: ({ true: truth, completed }, params) => cellMatch(truth, completed, params),
  permutation_test: ({ a, b }, params) => snake(permutationTest(a, b, params)),
  completion_probe: ({ records }, params) => completionProbe(records, params),
};
