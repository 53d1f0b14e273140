import { ordinalMetric } from './ordinal-metric.ts';
import { sumOver } from './ordinal-table.ts';

/**
 * The mean distance from the truth, in positions: mean |i - j|. Nothing answered on the scale: null.
 *
 * @example
 * ```ts
 * maeStages({ labels: [1, 2, 3, 4, 5] }).compute([
 *   evaluationResult({ prediction: 2, groundTruth: 2 }),
 *   evaluationResult({ prediction: 1, groundTruth: 3 }),
 *   evaluationResult({ prediction: 5, groundTruth: 4 }),
 *   evaluationResult({ prediction: 4, groundTruth: 4 }),
 * ]).value // => 0.75
 * ```
 */
export const maeStages = ordinalMetric({
  name: 'mae_stages',
  label: 'Mean Absolute Stage Error',
  reads: 'stages off, on average',
  better: 'lower',
  estimate: (table) => sumOver(table, (i, j) => Math.abs(i - j)) / table.n,
});
