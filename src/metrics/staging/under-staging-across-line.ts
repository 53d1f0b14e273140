import { type Label, sameLabel } from '../../core/index.ts';
import { countMetric } from '../built-in.ts';
import type { OrdinalOptions } from './ordinal-metric.ts';
import { ordinalTable } from './ordinal-table.ts';

/**
 * Of patients at or beyond a management line (such as the stage at which a guideline refers), the share called short of it.
 *
 * Formula: #(truth >= line, answer < line) / #(truth >= line, answered on the scale). No such rows: null.
 *
 * @example
 * ```ts
 * underStagingAcrossLine({ labels: [1, 2, 3, 4, 5], line: 4 }).compute([
 *   evaluationResult({ prediction: 3, groundTruth: 4 }),
 *   evaluationResult({ prediction: 4, groundTruth: 5 }),
 * ]).value // => 0.5
 * ```
 */
export function underStagingAcrossLine({ labels, line }: OrdinalOptions & { line: Label }) {
  const at = labels.findIndex((label) => sameLabel(label, line));
  return countMetric({
    name: 'under_staging_across_line',
    label: `Under-staging across ${line}`,
    family: 'staging',
    reads: 'beyond the line, called short of it',
    better: 'lower',
    emptyReason: 'no_rows_beyond_the_line',
    proportion: (sample) => {
      const { counts } = ordinalTable(sample, labels);
      let n = 0;
      let successes = 0;
      counts.forEach((row, truth) => {
        if (at < 0 || truth < at) return;
        row.forEach((count, prediction) => {
          n += count;
          if (prediction < at) successes += count;
        });
      });
      return { successes, n };
    },
    nEvaluated: (sample) =>
      ordinalTable(sample, labels)
        .counts.flatMap((row, truth) => (truth < at ? [] : row))
        .reduce((a, b) => a + b, 0),
    details: () => ({ line }),
  });
}
