import type { Sample } from '../sample.ts';
import { deferralMetric, NO_LABELS } from './deferral-metric.ts';
import { deferralOf } from './deferral-table.ts';

/**
 * How often abstaining agreed with `metadata.should_abstain`.
 *
 * Formula: (TP + TN) / labelled, with TP deferred when needed, TN answered when safe. Nothing labelled: null.
 * It depends on the base rate: always read it beside the two trivial policies in `details`.
 *
 * @example
 * ```ts
 * deferralAlignment().compute([
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: true } }),
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: false } }),
 * ]).details.confusion
 * // => { defer_when_needed: 1, answer_when_safe: 0, answer_when_should_defer: 0, abstain_when_should_answer: 1 }
 * ```
 */
export function deferralAlignment() {
  return deferralMetric({
    name: 'deferral_alignment',
    label: 'Deferral Alignment',
    reads: 'deferred exactly where it should',
    better: 'higher',
    emptyReason: NO_LABELS,
    bounded: true,
    proportion: (sample) => {
      const { tp, tn, n } = deferralOf(sample);
      return { successes: tp + tn, n };
    },
    details: (sample) => {
      const { tp, tn, fn, fp, n } = deferralOf(sample);
      return {
        confusion: {
          defer_when_needed: tp,
          answer_when_safe: tn,
          answer_when_should_defer: fn,
          abstain_when_should_answer: fp,
        },
        n_labeled: n,
        trivial_policies: trivialPolicies(sample),
      };
    },
  });
}

/**
 * The alignment that never deferring and always deferring would have on the same rows; null when nothing is labelled.
 *
 * @example
 * ```ts
 * trivialPolicies(Sample.of([evaluationResult({ groundTruth: 1, prediction: 1, metadata: { should_abstain: false } })]))
 * // => { never_defer: 1, always_defer: 0 }
 * ```
 */
export function trivialPolicies(sample: Sample): { never_defer: number | null; always_defer: number | null } {
  const { tp, tn, fn, fp, n } = deferralOf(sample);
  if (n === 0) return { never_defer: null, always_defer: null };
  return { never_defer: (fp + tn) / n, always_defer: (tp + fn) / n };
}
