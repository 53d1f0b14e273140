import { mean } from '../../statistics/samples.ts';
import { rowScores } from '../columns.ts';
import { type DefinedMetric, defineMetric, metricFamily, tableMetric } from '../define-metric.ts';
import { countClasses, countGradedOutcomes, countOutcomes, type GroupCount } from '../tables.ts';

const shared = { family: 'correctness', restsOn: 'counts', bounded: true, fixedDenominator: true } as const;
/** What the model did, over all rows. */
const outcomeShare = metricFamily(countOutcomes, shared);
/** Whether it was right, over the rows of which that can be said. */
const gradedShare = metricFamily(countGradedOutcomes, shared);

/**
 * Right answers over all rows: an abstention and an invalid answer both count as wrong. With `treatAbstentionAsNeutral`, rows that were abstained on are left out, under another name:
 * the value is then that of `selectiveAccuracy`.
 *
 * Formula: #correct / n. No rows: null. All abstained: 0, or null where abstentions are neutral.
 * Never read it alone: a model that rightly defers on hard cases scores low here. Where deferral labels exist, read `answerableAccuracy`.
 *
 * @example
 * ```ts
 * accuracy().compute([
 *   evaluationResult({ prediction: 'present', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'absent' }),
 *   evaluationResult({ prediction: 'present', groundTruth: 'present', abstained: true }),
 * ]).value // => 0.6666666666666666
 * ```
 */
export const accuracy = gradedShare(
  ({ treatAbstentionAsNeutral = false }: { readonly treatAbstentionAsNeutral?: boolean } = {}) => ({
    comparesGroups: true,
    better: 'higher',
    ignoresDeferral: true,
    ...(treatAbstentionAsNeutral
      ? {
          name: 'accuracy_neutral_abstentions',
          label: 'Accuracy (deferred cases left out)',
          reads: 'right, of those not deferred',
          formula: 'right / n not deferred',
          misleads: 'Answering only the easy cases makes it high.',
          fixedDenominator: false,
          countedRows: 'not_abstained',
          answeredOnly: true,
          emptyReason: 'nothing_answered',
        }
      : {
          name: 'accuracy',
          label: 'Accuracy (over all cases)',
          reads: 'right, of all cases',
          formula: 'right / n',
          misleads: 'Counts a right deferral as a mistake.',
          endpoint: 13,
          compared: { table: 'decisions', place: 4, title: 'accuracy', where: 'no_deferral_labels' },
          coverage: 'above_zero',
        }),
    proportion: ({ correct, notAbstained, n }) => ({
      successes: correct,
      n: treatAbstentionAsNeutral ? notAbstained : n,
    }),
    details: ({ correct, notAbstained, n }) => ({
      n_correct: correct,
      n_incorrect: (treatAbstentionAsNeutral ? notAbstained : n) - correct,
      treat_abstention_as_neutral: treatAbstentionAsNeutral,
    }),
  }),
);

/**
 * The mean over true classes of the share answered right, so that a common class cannot outweigh a rare one.
 *
 * Formula: mean over k of #correct_k / n_k, where n_k counts all rows of class k, or with `denominator: 'answered'` those not
 * abstained on. A class without answers then leaves the mean and is counted, and no gate accepts the value; with fewer than two classes left it
 * is null. Fewer than two classes in the truth: null.
 * Recall is counted directly: an abstention is never replaced by some label. Source: Brodersen 2010.
 *
 * @example
 * ```ts
 * balancedAccuracy().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1 }),
 *   evaluationResult({ prediction: 1, groundTruth: 1 }),
 *   evaluationResult({ prediction: 1, groundTruth: 0 }),
 * ]).value // => 0.5
 * ```
 */
export function balancedAccuracy({ denominator = 'all' }: { denominator?: 'all' | 'answered' } = {}) {
  const all = denominator === 'all';
  const recall = ({ n, notAbstained, correct }: GroupCount) => {
    const rows = all ? n : notAbstained;
    return rows === 0 ? null : correct / rows;
  };
  return tableMetric(countOutcomes, {
    name: all ? 'balanced_accuracy' : 'balanced_accuracy_answered',
    label: all ? 'Balanced Accuracy' : 'Balanced Accuracy (answered only)',
    family: 'correctness',
    reads: 'mean of the accuracy in each class',
    formula: 'mean over true classes of right / cases of the class',
    range: '0 to 1',
    misleads:
      'Rare classes make it vary: look at the interval. Of answered cases only, a class without answers leaves the mean, and gates refuse the value.',
    better: 'higher',
    ignoresDeferral: true,
    restsOn: 'counts',
    bounded: all,
    ...(all && {
      endpoint: 15,
      isShare: true,
      compared: { table: 'decisions', place: 5, title: 'balanced accuracy' } as const,
    }),
    answeredOnly: !all,
    estimate: (_, sample) => {
      const classes = [...countClasses(sample).values()];
      if (classes.length < 2) return classes.length === 0 ? 'no_rows' : 'one_class';
      const recalls = classes.map(recall).filter((share) => share !== null);
      return recalls.length < 2 ? 'fewer_than_two_classes_answered' : mean(recalls)!;
    },
    nEvaluated: (_, sample) =>
      [...countClasses(sample).values()].reduce((sum, own) => sum + (all ? own.n : own.notAbstained), 0),
    ungateable: (_, sample) => {
      const classes = [...countClasses(sample).values()];
      const lost = classes.filter((own) => recall(own) === null).length;
      const have = lost === 1 ? 'has' : 'have';
      return lost === 0 ? null : `${lost} of ${classes.length} classes ${have} no answer`;
    },
    details: (_, sample) => {
      const { display } = sample.columns.labels;
      const classes = [...countClasses(sample)];
      return {
        denominator,
        n_classes: classes.length,
        n_classes_without_answers: classes.filter(([, { notAbstained }]) => notAbstained === 0).length,
        recall: Object.fromEntries(classes.map(([code, entry]) => [String(display[code]), recall(entry)])),
      };
    },
  });
}

/**
 * Right answers over rows that were not abstained on. Invalid answers stay in the denominator.
 *
 * Formula: #correct / (answered + invalid). Nothing answered: null.
 * Read it with the answer rate: answering only the easy cases makes it high. Source: El-Yaniv & Wiener 2010.
 *
 * @example
 * ```ts
 * selectiveAccuracy().compute([
 *   evaluationResult({ prediction: 2, groundTruth: 2 }),
 *   evaluationResult({ prediction: 3, groundTruth: 2 }),
 *   evaluationResult({ groundTruth: 2, abstained: true }),
 * ]).value // => 0.5
 * ```
 */
export const selectiveAccuracy = gradedShare(() => ({
  name: 'selective_accuracy',
  comparesGroups: true,
  fixedDenominator: false,
  label: 'Selective Accuracy (answered only)',
  reads: 'right, of those it answered',
  formula: 'right / (answered + unusable)',
  misleads: 'Answering only the easy cases makes it high: read it with `answer_rate`.',
  endpoint: 14,
  compared: { table: 'decisions', place: 7, title: 'selective accuracy', where: 'no_deferral_labels' },
  countedRows: 'not_abstained',
  better: 'higher',
  ignoresDeferral: true,
  answeredOnly: true,
  emptyReason: 'nothing_answered',
  proportion: ({ correct, notAbstained }) => ({ successes: correct, n: notAbstained }),
  details: ({ correct, notAbstained }) => ({ n_correct: correct, n_incorrect: notAbstained - correct }),
}));

/**
 * The share of rows on which the model declined to answer.
 *
 * Formula: abstained / n = 1 - answer rate. No rows: null.
 *
 * @example
 * ```ts
 * abstentionRate().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1 }),
 *   evaluationResult({ groundTruth: 1, abstained: true }),
 * ]).value // => 0.5
 * ```
 */
export const abstentionRate = outcomeShare(() => ({
  name: 'abstention_rate',
  family: 'deferral',
  comparesGroups: true,
  label: 'Abstention Rate',
  reads: 'deferred, of all cases',
  formula: 'deferred / n',
  misleads: 'Neither good nor bad by itself.',
  endpoint: 16,
  compared: { table: 'confidence', place: 1, title: 'abstention' },
  appliesToText: true,
  textPlace: 2,
  better: null,
  coverage: 'below_one',
  proportion: ({ abstained, n }) => ({ successes: abstained, n }),
  details: ({ notAbstained }) => ({ n_answered: notAbstained }),
}));

/**
 * The share of rows on which the model did not abstain; also called coverage. An invalid answer is not an abstention.
 *
 * Formula: (answered + invalid) / n. No rows: null.
 *
 * @example
 * ```ts
 * answerRate().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1 }),
 *   evaluationResult({ groundTruth: 1, abstained: true }),
 * ]).value // => 0.5
 * ```
 */
export const answerRate = outcomeShare(() => ({
  name: 'answer_rate',
  family: 'deferral',
  label: 'Answer Rate (Coverage)',
  reads: 'not deferred, of all cases',
  formula: '(answered + unusable) / n',
  misleads: 'Unusable replies are in it: headlines show `usable_answer_rate`.',
  compared: { table: 'confidence', place: 2, title: 'answer rate' },
  standsInFor: 'usable_answer_rate',
  appliesToText: true,
  textPlace: 1,
  better: null,
  coverage: 'above_zero',
  proportion: ({ notAbstained, n }) => ({ successes: notAbstained, n }),
  details: ({ notAbstained }) => ({ n_answered: notAbstained }),
}));

/**
 * The share of rows with a usable answer: neither an abstention nor an invalid or refused reply.
 *
 * Formula: (answered without invalid) / n = answer rate - invalid rate. No rows: null.
 *
 * @example
 * ```ts
 * usableAnswerRate().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1 }),
 *   evaluationResult({ prediction: null, groundTruth: 1 }),
 * ]).value // => 0.5
 * ```
 */
export const usableAnswerRate = outcomeShare(() => ({
  name: 'usable_answer_rate',
  label: 'Usable Answers',
  reads: 'usable answers, of all cases',
  formula: '(answered without unusable) / n',
  misleads: 'Does not say whether the answers are right.',
  follows: 1,
  compared: { table: 'confidence', place: 3, title: 'usable answers' },
  better: null,
  coverage: 'above_zero',
  proportion: ({ notAbstained, invalid, n }) => ({ successes: notAbstained - invalid, n }),
  details: ({ invalid, abstained }) => ({ n_invalid: invalid, n_abstained: abstained }),
}));

/**
 * The share of rows where the model neither abstained nor gave a usable answer.
 *
 * Formula: #invalid / n, refusals included. No rows: null.
 *
 * @example
 * ```ts
 * invalidRate().compute([
 *   evaluationResult({ prediction: null, groundTruth: 1 }),
 *   evaluationResult({ prediction: 1, groundTruth: 1 }),
 * ]).value // => 0.5
 * ```
 */
export const invalidRate = outcomeShare(() => ({
  name: 'invalid_rate',
  label: 'Invalid Rate',
  reads: 'no usable answer, of all cases',
  formula: 'unusable / n',
  misleads: 'A high value may be a fault of the prompt or the parser.',
  better: 'lower',
  proportion: ({ invalid, n }) => ({ successes: invalid, n }),
  details: ({ invalid }) => ({ n_invalid: invalid }),
}));

/**
 * The mean of the scores that another tool gave to the answers, 0 to 1, over all rows. An abstention and an unusable answer score 0, as they do in `accuracy`,
 * which equals this where every score is 0 or 1.
 *
 * Formula: sum of scores / n. No scores: null.
 *
 * @example
 * ```ts
 * const row = (score: number) => evaluationResult({ prediction: 'partly right', groundTruth: 'right', score });
 * meanScore().compute([row(0.5), row(1)]).value // => 0.75
 * ```
 */
export const meanScore = (): DefinedMetric =>
  defineMetric({
    name: 'mean_score',
    label: 'Mean Score (over all cases)',
    family: 'correctness',
    reads: 'mean score, of all cases',
    formula: 'sum of scores / n',
    range: '0 to 1',
    misleads: 'Deferred and unusable answers score 0.',
    better: 'higher',
    restsOn: 'rows',
    fixedDenominator: true,
    ignoresDeferral: true,
    emptyReason: 'no_scores',
    endpoint: 12,
    isShare: true,
    rowScores: (columns) => rowScores(columns) ?? new Float64Array(columns.n).fill(Number.NaN),
    estimate: ({ columns, weights }) => {
      const scores = rowScores(columns);
      if (scores === null) return 'no_scores';
      let [sum, n] = [0, 0];
      for (let i = 0; i < scores.length; i++) {
        const weight = weights === null ? 1 : weights[i]!;
        sum += weight * scores[i]!;
        n += weight;
      }
      return n === 0 ? 'no_scores' : sum / n;
    },
  });
