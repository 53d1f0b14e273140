import { ordinalMetric } from './ordinal-metric.ts';
import { sumOver } from './ordinal-table.ts';

/**
 * Somers' D of the answer given the truth: over pairs of rows with different truths, concordant less discordant, divided by all of them.
 * One class in the truth: null. 1: the order is kept throughout; 0: no relation. Source: Somers 1962.
 *
 * @example
 * ```ts
 * somersD({ labels: [1, 2, 3, 4, 5] }).compute([
 *   evaluationResult({ prediction: 2, groundTruth: 2 }),
 *   evaluationResult({ prediction: 1, groundTruth: 3 }),
 *   evaluationResult({ prediction: 5, groundTruth: 4 }),
 *   evaluationResult({ prediction: 4, groundTruth: 4 }),
 * ]).value // => 0.6
 * ```
 */
export const somersD = ordinalMetric({
  name: 'somers_d',
  label: "Somers' D",
  reads: 'order kept between patients',
  better: 'higher',
  estimate: (table) => {
    let pairs = 0;
    let score = 0;
    table.counts.forEach((row, truth) => {
      row.forEach((count, prediction) => {
        if (count === 0) return;
        score += count * sumOver(table, (i, j) => (i < truth ? Math.sign(prediction - j) : 0));
        pairs += count * sumOver(table, (i) => (i < truth ? 1 : 0));
      });
    });
    return pairs === 0 ? 'one_class' : score / pairs;
  },
});
