import { ABSTAINED, NO_REASON, NOT_COMPARED } from '../columns.ts';
import { metricFamily } from '../define-metric.ts';
import { NO_LABEL } from '../label-table.ts';
import type { Sample } from '../sample.ts';
import { countDeferrals, whyNoneLabelled } from './deferral-table.ts';

const onDeferralLabels = metricFamily(countDeferrals, {
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
  comparesGroups: true,
  fixedDenominator: true,
  label: 'Answerable Accuracy',
  reads: 'right, of cases that call for an answer',
  formula: 'right / cases that call for an answer',
  misleads: 'Needs deferral labels. Deferred and unusable answers count as wrong.',
  endpoint: 11,
  compared: { table: 'decisions', place: 3, title: 'answerable accuracy', where: 'deferral_labels' },
  countedRows: 'to_answer',
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
  comparesGroups: true,
  label: 'Answerable Selective Accuracy',
  reads: 'right, of those it answered when it should',
  formula: 'right / cases that call for an answer and were not deferred',
  misleads: 'Answering only the easy cases makes it high: read it with `answer_rate`.',
  compared: {
    table: 'decisions',
    place: 6,
    title: 'answerable selective accuracy',
    where: 'deferral_labels',
  },
  countedRows: 'to_answer_not_abstained',
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
  label: 'Label Accuracy Near a Threshold',
  reads: 'right label, of must-defer cases answered',
  formula: 'right / labelled cases to defer that were not deferred',
  misleads: 'A right label there is still a wrong decision.',
  better: null,
  answeredOnly: true,
  emptyReason: 'nothing_answered_near_a_line',
  proportion: ({ labelledMustDefer: near }) => ({ successes: near.correct, n: near.notAbstained }),
  nAbstained: ({ labelledMustDefer: near }) => near.n - near.notAbstained,
  details: ({ labelledMustDefer: near }) => ({ n_near_a_line: near.n }),
}));

/** Rows that should be deferred because they have no answer. */
function unanswerableRows(sample: Sample): { readonly n: number; readonly abstained: number } {
  return sample.once(unanswerableRows, ({ cells, counts }) => {
    let n = 0;
    let abstained = 0;
    for (let c = 0; c < cells.size; c++) {
      if (cells.truth[c] !== NO_LABEL || cells.shouldAbstain[c] !== 1) continue;
      n += counts[c]!;
      if (cells.state[c] === ABSTAINED) abstained += counts[c]!;
    }
    return { n, abstained };
  });
}

/**
 * How often the model answered where no answer exists. Invalid answers count: the model did not defer. A row without a label that is not marked
 * to be deferred may well have an answer, so it is left out.
 *
 * Formula: #(truth is null, should_abstain is true, not abstained) / #(truth is null, should_abstain is true). No such rows: null.
 *
 * @example
 * ```ts
 * unanswerableAnswerRate().compute([
 *   evaluationResult({ prediction: 1, groundTruth: null, metadata: { should_abstain: true } }),
 *   evaluationResult({ groundTruth: null, abstained: true, metadata: { should_abstain: true } }),
 * ]).value // => 0.5
 * ```
 */
export const unanswerableAnswerRate = metricFamily(unanswerableRows, {
  family: 'deferral',
  better: 'lower',
  restsOn: 'counts',
  bounded: true,
  metBySilence: true,
})(() => ({
  name: 'unanswerable_answer_rate',
  fixedDenominator: true,
  label: 'Unanswerable Answer Rate',
  reads: 'answered, of cases without a right answer',
  formula: 'not deferred / cases to defer that have no right answer',
  misleads: 'Always deferring gives 0.',
  emptyReason: 'no_unanswerable_rows',
  proportion: ({ abstained, n }) => ({ successes: n - abstained, n }),
  nAbstained: ({ abstained }) => abstained,
}));

/** Deferrals on must-defer rows whose reasons are known. `isStated`: whether any row of the file states a reason; rows of a run that did not ask for one are not ungrounded. */
function groundingTable(sample: Sample) {
  return sample.once('grounding', ({ cells, counts }) => {
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
  acrossRows: true,
  label: 'Grounded Deferral Rate',
  reads: 'right reason, of needed deferrals',
  formula: 'right reason / needed deferrals of cases with known reasons',
  misleads: 'Undefined where the model was not asked for reasons.',
  emptyReason: 'no_reasons_stated',
  proportion: ({ right, n, isStated }) => (isStated ? { successes: right, n } : { successes: 0, n: 0 }),
  nEvaluated: ({ n, isStated }) => (isStated ? n : 0),
  details: ({ n, right, none }) => ({
    n_grounded: right,
    n_other_reason: n - right - none,
    n_without_reason: none,
  }),
}));
