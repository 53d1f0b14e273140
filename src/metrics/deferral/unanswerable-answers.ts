import { metricFamily } from '../built-in.ts';
import { ABSTAINED } from '../columns.ts';
import { NO_LABEL } from '../label-table.ts';
import type { Sample } from '../sample.ts';

interface Unanswerable {
  readonly n: number;
  readonly abstained: number;
}

/** Rows that should be deferred because they have no answer. */
function unanswerableRows(sample: Sample): Unanswerable {
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
  label: 'Unanswerable Answer Rate',
  reads: 'answered, of cases without a right answer',
  emptyReason: 'no_unanswerable_rows',
  proportion: ({ abstained, n }) => ({ successes: n - abstained, n }),
  nAbstained: ({ abstained }) => abstained,
}));
