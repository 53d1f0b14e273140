import { metricFamily } from '../built-in.ts';
import type { Sample } from '../sample.ts';
import { NO_REASON, NOT_COMPARED } from './grounding.ts';

interface GroundingTable {
  /** Deferrals on must-defer rows whose reasons are known. */
  readonly n: number;
  readonly right: number;
  readonly none: number;
  /** Whether any row of the file states a reason: rows of a run that did not ask for one are not ungrounded. */
  readonly isStated: boolean;
}

function groundingTable(sample: Sample): GroundingTable {
  return sample.once(groundingTable, ({ cells, counts }) => {
    const of = [0, 0, 0];
    let isStated = false;
    for (let c = 0; c < cells.size; c++) {
      const grounding = cells.grounding[c]!;
      if (grounding === NOT_COMPARED) continue;
      of[grounding]! += counts[c]!;
      isStated ||= grounding !== NO_REASON;
    }
    const [none, wrong, right] = of as [number, number, number];
    return { n: none + wrong + right, right, none, isStated };
  });
}

/**
 * Of the deferrals on must-defer rows, the share whose stated reason is right: one of the row's `should_abstain_reasons`, one that the task lists as
 * equivalent, or the general reason of either. A deferral without a reason is not grounded.
 *
 * Formula: #(deferred, should defer, reason right) / #(deferred, should defer, reasons of the row known). No such row, or no reason stated in any of them: null.
 *
 * @example
 * ```ts
 * const metadata = { should_abstain: true, should_abstain_reasons: ['missing_creatinine'] };
 * groundedDeferralRate().compute([
 *   evaluationResult({ groundTruth: null, abstained: true, deferralReason: 'data_missing', metadata }),
 *   evaluationResult({ groundTruth: null, abstained: true, deferralReason: 'uncertain', metadata }),
 * ]).value // => 0.5
 * ```
 */
export const groundedDeferralRate = metricFamily(groundingTable, {
  family: 'deferral',
  better: 'higher',
  restsOn: 'counts',
  nAbstained: ({ n }) => n,
})(() => ({
  name: 'grounded_deferral_rate',
  label: 'Grounded Deferral Rate',
  reads: 'right reason, of needed deferrals',
  emptyReason: 'no_reasons_stated',
  proportion: ({ right, n, isStated }) => (isStated ? { successes: right, n } : { successes: 0, n: 0 }),
  nEvaluated: ({ n, isStated }) => (isStated ? n : 0),
  details: ({ n, right, none }) => ({
    n_grounded: right,
    n_other_reason: n - right - none,
    n_without_reason: none,
  }),
}));
