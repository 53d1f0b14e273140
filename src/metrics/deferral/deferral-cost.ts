import type { Sample } from '../sample.ts';
import { deferralMetric, NO_LABELS } from './deferral-metric.ts';
import { deferralOf } from './deferral-table.ts';

/** The cost of a mistake, in any unit; only the ratio matters for the normalised form. */
export interface DeferralCosts {
  /** Cost of answering where the model should defer. Default: 5. */
  readonly missed?: number;
  /** Cost of deferring where the model should answer. Default: 1. */
  readonly needless?: number;
}

/** Ratios of missed to needless over which a reader can see how much the verdict depends on the costs. */
const SWEEP = [1, 2, 5, 10, 20];

/**
 * The mean cost of deferral mistakes: (missed * FN + needless * FP) / labelled. Nothing labelled: null. Defaults 5 and 1.
 *
 * @example
 * ```ts
 * deferralCost().compute([
 *   evaluationResult({ groundTruth: 1, prediction: 1, metadata: { should_abstain: true } }),
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: false } }),
 * ]).value // => 3
 * ```
 */
export function deferralCost({ missed = 5, needless = 1 }: DeferralCosts = {}) {
  return deferralMetric({
    name: 'deferral_cost',
    label: 'Deferral Cost',
    reads: 'mean cost of deferral mistakes',
    better: 'lower',
    estimate: (sample) => {
      const { fn, fp, n } = deferralOf(sample);
      return n === 0 ? NO_LABELS : (missed * fn + needless * fp) / n;
    },
    details: () => ({ cost_missed_deferral: missed, cost_needless_deferral: needless }),
  });
}

/**
 * The same cost relative to the better trivial policy: (missed * FN + needless * FP) / min(missed * P, needless * N), P and N the rows that
 * should and should not be deferred on. Below 1 the model is useful; at 1 or above a constant policy does as well. One class: null.
 * Source: Drummond & Holte 2006.
 *
 * @example
 * ```ts
 * deferralCostNormalised().compute([
 *   evaluationResult({ groundTruth: 1, prediction: 1, metadata: { should_abstain: true } }),
 *   evaluationResult({ groundTruth: 1, prediction: 1, metadata: { should_abstain: false } }),
 * ]).value // => 5
 * ```
 */
export function deferralCostNormalised({ missed = 5, needless = 1 }: DeferralCosts = {}) {
  return deferralMetric({
    name: 'deferral_cost_normalised',
    label: 'Deferral Cost (normalised)',
    reads: 'below 1: better than a constant',
    better: 'lower',
    estimate: (sample) => normalised(sample, missed, needless),
    details: (sample) => ({
      cost_missed_deferral: missed,
      cost_needless_deferral: needless,
      sweep: SWEEP.map((ratio) => {
        const value = normalised(sample, ratio, 1);
        return { missed_per_needless: ratio, value: typeof value === 'number' ? value : null };
      }),
    }),
  });
}

function normalised(sample: Sample, missed: number, needless: number) {
  const { tp, fn, fp, tn, n } = deferralOf(sample);
  if (n === 0) return NO_LABELS;
  const best = Math.min(missed * (tp + fn), needless * (fp + tn));
  return best === 0 ? 'a_trivial_policy_is_perfect' : (missed * fn + needless * fp) / best;
}
