import { type LabelKey, labelKey } from '../../core/index.ts';
import { tableMetric } from '../built-in.ts';
import { ABSTAINED, ANSWERED } from '../columns.ts';
import { NO_LABEL } from '../label-table.ts';
import { outcomesOf } from '../outcomes.ts';

/** What each decision is worth, by truth: a column per label, and the columns `abstain` and `invalid`. */
export type UtilityMatrix = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * Mean utility under a full matrix u[truth][decision], printed with the result. A pair that the matrix does not name makes it null; rows without a
 * derivable truth stay out and are counted.
 *
 * @example
 * ```ts
 * selectiveUtility({ utility: { sick: { sick: 1, well: -5, abstain: -1, invalid: -5 }, well: { sick: -1, well: 1, abstain: 0, invalid: -1 } } })
 *   .compute([evaluationResult({ prediction: 'well', groundTruth: 'sick' }), evaluationResult({ groundTruth: 'sick', abstained: true })])
 *   .value // => -3
 * ```
 */
export function selectiveUtility({ utility }: { utility: UtilityMatrix }) {
  const worth = new Map(
    Object.entries(utility).map(([truth, row]) => [
      labelKey(truth),
      new Map<LabelKey, number>(Object.entries(row).map(([decision, value]) => [labelKey(decision), value])),
    ]),
  );
  return tableMetric(outcomesOf, {
    name: 'selective_utility',
    label: 'Selective Utility',
    family: 'utility',
    reads: 'mean worth of its decisions',
    better: 'higher',
    restsOn: 'counts',
    estimate: (_, { cells, counts, columns: { labels } }) => {
      let sum = 0;
      let n = 0;
      for (let c = 0; c < cells.size; c++) {
        if (counts[c] === 0 || cells.truth[c] === NO_LABEL) continue;
        const state = cells.state[c];
        const otherwise = state === ABSTAINED ? 'abstain' : 'invalid';
        const decision = state === ANSWERED ? labels.keys[cells.prediction[c]!]! : otherwise;
        const value = worth.get(labels.keys[cells.truth[c]!]!)?.get(decision);
        if (value === undefined) return 'pair_not_in_utility_matrix';
        sum += counts[c]! * value;
        n += counts[c]!;
      }
      return n === 0 ? 'no_rows' : sum / n;
    },
    details: (_, { cells, counts }) => ({
      utility,
      n_without_truth: counts.reduce((sum, count, c) => (cells.truth[c] === NO_LABEL ? sum + count : sum), 0),
    }),
  });
}
