import { metricFamily } from '../define-metric.ts';
import { countOutcomes, f1Of, matthews } from '../tables.ts';
import {
  countDeferrals,
  type DeferralTable,
  deferralConfusion,
  trivialPolicies,
  whyNoneLabelled,
} from './deferral-table.ts';

/** A metric on rows with a deferral label. */
const deferralMetric = metricFamily(countDeferrals, {
  family: 'deferral',
  better: 'higher',
  restsOn: 'counts',
  emptyReason: 'no_deferral_labels',
  appliesToText: true,
  nAbstained: ({ abstained }) => abstained,
});

/**
 * Right decisions over labelled rows: deferred where it should defer, answered rightly where it should answer. A lucky answer on a
 * must-defer row is a failure.
 *
 * Formula: (#(should defer and deferred) + #(should answer and answered right)) / #labelled. Nothing labelled: null.
 * The headline wherever deferral labels exist.
 *
 * @example
 * ```ts
 * decisionAccuracy().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, metadata: { should_abstain: false } }),
 *   evaluationResult({ prediction: 1, groundTruth: 1, metadata: { should_abstain: true } }),
 * ]).value // => 0.5
 * ```
 */
export const decisionAccuracy = deferralMetric(() => ({
  name: 'decision_accuracy',
  comparesGroups: true,
  fixedDenominator: true,
  label: 'Decision Accuracy',
  family: 'correctness',
  reads: 'right to defer, or right answer',
  formula: '(rightly deferred + answered right where it should) / labelled cases',
  misleads: 'Only as good as the deferral labels. A lucky answer is a failure.',
  endpoint: 9,
  compared: { table: 'decisions', place: 1, title: 'decision accuracy' },
  countedRows: 'deferral_labels',
  appliesToText: false,
  constantPolicies: (sample) => {
    const { tp, fn, answerable } = countDeferrals(sample);
    const n = tp + fn + answerable.n;
    return n === 0 ? {} : { always: (tp + fn) / n };
  },
  coverage: 'above_must_defer_share',
  bounded: true,
  proportion: ({ tp, fn, answerable }) => ({ successes: tp + answerable.correct, n: tp + fn + answerable.n }),
}));

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
export const deferralAlignment = deferralMetric(() => ({
  name: 'deferral_alignment',
  fixedDenominator: true,
  label: 'Deferral Alignment',
  reads: 'deferred exactly where it should',
  formula: '(TP + TN) / labelled cases',
  misleads:
    'Follows the share of cases to defer: compare it with never and always deferring, in `details.trivial_policies`.',
  textPlace: 3,
  compared: { table: 'confidence', place: 4, title: 'deferral alignment' },
  bounded: true,
  proportion: ({ tp, tn, n }) => ({ successes: tp + tn, n }),
  details: (table, sample) => ({
    confusion: deferralConfusion(table),
    n_labeled: table.n,
    trivial_policies: trivialPolicies(sample),
  }),
}));

/**
 * Of the rows it deferred on, the share where it should: TP / (TP + FP). Never deferred on a labelled row: null.
 *
 * @example
 * ```ts
 * deferralPrecision().compute([
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: true } }),
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: false } }),
 *   evaluationResult({ groundTruth: 1, prediction: 1, metadata: { should_abstain: false } }),
 * ]).value // => 0.5
 * ```
 */
export const deferralPrecision = deferralMetric(() => ({
  name: 'deferral_precision',
  label: 'Deferral Precision',
  reads: 'needed, of its deferrals',
  formula: 'TP / (TP + FP)',
  misleads: 'Undefined when the model never defers.',
  emptyReason: (sample) => {
    if (countDeferrals(sample).n === 0) return 'no_deferral_labels';
    return countOutcomes(sample).abstained === 0 ? 'never_deferred' : 'never_deferred_where_labelled';
  },
  proportion: ({ tp, fp }) => ({ successes: tp, n: tp + fp }),
}));

/**
 * Of the rows it should defer on, the share where it did: TP / (TP + FN). No such rows: null.
 *
 * @example
 * ```ts
 * deferralRecall().compute([
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: true } }),
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: false } }),
 *   evaluationResult({ groundTruth: 1, prediction: 1, metadata: { should_abstain: false } }),
 * ]).value // => 1
 * ```
 */
export const deferralRecall = deferralMetric(() => ({
  name: 'deferral_recall',
  fixedDenominator: true,
  label: 'Deferral Recall',
  reads: 'deferred, of cases that need it',
  formula: 'TP / (TP + FN)',
  misleads: 'Always deferring gives 1.',
  textPlace: 4,
  bounded: true,
  emptyReason: (sample) => whyNoneLabelled(sample, 'no_must_defer_rows'),
  proportion: ({ tp, fn }) => ({ successes: tp, n: tp + fn }),
}));

/**
 * Of the rows it should answer, the share where it did: TN / (TN + FP). No such rows: null.
 *
 * @example
 * ```ts
 * deferralSpecificity().compute([
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: true } }),
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: false } }),
 *   evaluationResult({ groundTruth: 1, prediction: 1, metadata: { should_abstain: false } }),
 * ]).value // => 0.5
 * ```
 */
export const deferralSpecificity = deferralMetric(() => ({
  name: 'deferral_specificity',
  fixedDenominator: true,
  label: 'Deferral Specificity',
  reads: 'answered, of cases safe to answer',
  formula: 'TN / (TN + FP)',
  misleads: 'Never deferring gives 1.',
  textPlace: 5,
  bounded: true,
  emptyReason: (sample) => whyNoneLabelled(sample, 'no_safe_rows'),
  proportion: ({ tn, fp }) => ({ successes: tn, n: tn + fp }),
}));

/**
 * F1 of deferring: 2TP / (2TP + FP + FN). 0/0 is null; a model that never defers but should scores 0.
 *
 * @example
 * ```ts
 * deferralF1().compute([
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: true } }),
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: false } }),
 * ]).value // => 0.6666666666666666
 * ```
 */
export const deferralF1 = deferralMetric(() => ({
  name: 'deferral_f1',
  label: 'Deferral F1',
  reads: 'precision and recall of deferring',
  formula: '2 TP / (2 TP + FP + FN)',
  range: '0 to 1',
  misleads: 'Ignores cases that were rightly answered.',
  estimate: f1Of,
}));

/**
 * Matthews' correlation of deferring with the need to defer. 0 is no skill, however high the alignment looks.
 * One class among the labels: null. Constant behaviour against two classes: 0. Source: Chicco & Jurman 2020.
 *
 * @example
 * ```ts
 * deferralMcc().compute([
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: true } }),
 *   evaluationResult({ groundTruth: 1, prediction: 1, metadata: { should_abstain: false } }),
 * ]).value // => 1
 * ```
 */
export const deferralMcc = deferralMetric(() => ({
  name: 'deferral_mcc',
  label: 'Deferral MCC',
  reads: 'deferral skill: 0 none, 1 perfect',
  formula: "Matthews' correlation of deferring with the need to defer",
  range: '-1 to 1',
  misleads: 'Moves with the share of cases to defer: compare on the same cases only.',
  estimate: matthews,
}));

/**
 * The mean of deferral recall and deferral specificity; 0.5 for either trivial policy. Either undefined: null.
 *
 * @example
 * ```ts
 * deferralBalanced().compute([
 *   evaluationResult({ groundTruth: 1, prediction: 1, metadata: { should_abstain: true } }),
 *   evaluationResult({ groundTruth: 1, prediction: 1, metadata: { should_abstain: false } }),
 * ]).value // => 0.5
 * ```
 */
export const deferralBalanced = deferralMetric(() => ({
  name: 'deferral_balanced',
  label: 'Deferral Balanced Accuracy',
  reads: 'mean of recall and specificity',
  formula: '(recall + specificity) / 2',
  range: '0 to 1',
  misleads: 'Weighs a missed deferral like a needless one. Both trivial policies score 0.5.',
  estimate: ({ tp, fn, tn, fp }) =>
    tp + fn === 0 || tn + fp === 0 ? 'one_class' : (tp / (tp + fn) + tn / (tn + fp)) / 2,
}));

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
export const deferralCost = deferralMetric(({ missed = 5, needless = 1 }: DeferralCosts = {}) => ({
  name: 'deferral_cost',
  label: 'Deferral Cost',
  reads: 'mean cost of deferral mistakes',
  formula: '(5 FN + 1 FP) / labelled cases',
  range: 'from 0',
  misleads: 'The costs are a choice: set `deferralCosts`.',
  better: 'lower',
  estimate: ({ fn, fp, n }) => (missed * fn + needless * fp) / n,
  details: () => ({ cost_missed_deferral: missed, cost_needless_deferral: needless }),
}));

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
export const deferralCostNormalised = deferralMetric(({ missed = 5, needless = 1 }: DeferralCosts = {}) => ({
  name: 'deferral_cost_normalised',
  label: 'Deferral Cost (normalised)',
  reads: 'below 1: better than a constant',
  formula: 'cost / cost of the better trivial policy',
  range: 'from 0',
  misleads: 'Depends on the costs: `details.sweep` has other ratios.',
  better: 'lower',
  estimate: (table) => normalised(table, missed, needless) ?? 'a_trivial_policy_is_perfect',
  details: (table) => ({
    cost_missed_deferral: missed,
    cost_needless_deferral: needless,
    sweep: SWEEP.map((ratio) => ({ missed_per_needless: ratio, value: normalised(table, ratio, 1) })),
  }),
}));

function normalised({ tp, fn, fp, tn }: DeferralTable, missed: number, needless: number): number | null {
  const best = Math.min(missed * (tp + fn), needless * (fp + tn));
  return best === 0 ? null : (missed * fn + needless * fp) / best;
}
