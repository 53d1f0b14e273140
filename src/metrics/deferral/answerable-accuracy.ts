import { metricFamily } from '../built-in.ts';
import { deferralOf, whyNoneLabelled } from './deferral-table.ts';

const onDeferralLabels = metricFamily(deferralOf, {
  family: 'correctness',
  better: 'higher',
  restsOn: 'counts',
  bounded: true,
});

/**
 * Right answers over the rows where an answer is expected: abstained and invalid rows count as wrong. Unlike accuracy it does not punish
 * a model for deferring where deferring is right.
 *
 * Formula: #correct / #(should_abstain is false). No such rows: null.
 *
 * @example
 * ```ts
 * answerableAccuracy().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, metadata: { should_abstain: false } }),
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: false } }),
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: true } }),
 * ]).value // => 0.5
 * ```
 */
export const answerableAccuracy = onDeferralLabels(() => ({
  name: 'answerable_accuracy',
  label: 'Answerable Accuracy',
  reads: 'right, of rows that call for an answer',
  coverage: 'above_zero',
  emptyReason: (sample) => whyNoneLabelled(sample, 'no_answerable_rows'),
  proportion: ({ answerable }) => ({ successes: answerable.correct, n: answerable.n }),
  nAbstained: ({ answerable }) => answerable.n - answerable.notAbstained,
}));

/**
 * Right answers over the rows where an answer is expected and the model did not abstain. Invalid answers stay in the denominator.
 *
 * Formula: #correct / #(should_abstain is false and not abstained). Nothing answered: null.
 * Read it with the answer rate: answering only the easy cases makes it high.
 *
 * @example
 * ```ts
 * answerableSelectiveAccuracy().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, metadata: { should_abstain: false } }),
 *   evaluationResult({ groundTruth: 1, abstained: true, metadata: { should_abstain: false } }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, metadata: { should_abstain: true } }),
 * ]).value // => 1
 * ```
 */
export const answerableSelectiveAccuracy = onDeferralLabels(() => ({
  name: 'answerable_selective_accuracy',
  label: 'Answerable Selective Accuracy',
  reads: 'right, of those it answered when it should',
  answeredOnly: true,
  emptyReason: (sample) => whyNoneLabelled(sample, 'no_answerable_rows_answered'),
  proportion: ({ answerable }) => ({ successes: answerable.correct, n: answerable.notAbstained }),
  nAbstained: ({ answerable }) => answerable.n - answerable.notAbstained,
}));

/**
 * Right readings of must-defer rows that have a label: rows so near a decision line that measurement variation could move them across it.
 * A right reading there is still the wrong decision, so neither answerable accuracy counts these rows.
 *
 * Formula: #correct / #(should_abstain is true, truth known, not abstained). Only for tasks whose label is a function of the values shown.
 * Nothing answered: null.
 *
 * @example
 * ```ts
 * nearLineAccuracy().compute([
 *   evaluationResult({ prediction: 3, groundTruth: 3, metadata: { should_abstain: true } }),
 *   evaluationResult({ prediction: 2, groundTruth: 3, metadata: { should_abstain: true } }),
 *   evaluationResult({ prediction: 4, groundTruth: 4, metadata: { should_abstain: false } }),
 * ]).value // => 0.5
 * ```
 */
export const nearLineAccuracy = onDeferralLabels(() => ({
  name: 'near_line_accuracy',
  label: 'Reading Accuracy Near a Line',
  reads: 'read right, of must-defer rows it answered',
  better: null,
  answeredOnly: true,
  emptyReason: 'nothing_answered_near_a_line',
  proportion: ({ labelledMustDefer: near }) => ({ successes: near.correct, n: near.notAbstained }),
  nAbstained: ({ labelledMustDefer: near }) => near.n - near.notAbstained,
  details: ({ labelledMustDefer: near }) => ({ n_near_a_line: near.n }),
}));
