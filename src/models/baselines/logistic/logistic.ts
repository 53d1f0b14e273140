import { canonicalJson } from '../../../core/index.ts';
import type { Task } from '../../../suites/index.ts';
import type { BaselineRule } from '../baseline-backend.ts';
import type { TrainingRow } from '../training-rows.ts';
import { featureTable } from './feature-table.ts';
import { fitSoftmax } from './softmax-regression.ts';

/**
 * Logistic regression fitted on the training part: what a plain statistical model achieves with the same features. It answers the most
 * probable label (ties go to the first in the task's order) with its probability as confidence, and never abstains. `featureTable` turns
 * features into numbers, `fitSoftmax` fits the model. A label that no training row has is never answered.
 *
 * @example
 * ```ts
 * const training = [{ features: { age: 40 }, label: 1 }, { features: { age: 60 }, label: 0 }];
 * const rule = logistic({ labels: ['yes', 'no'] }, training);
 * rule({ id: 'a', features: { age: 58 } }).prediction // => 'yes'
 * rule({ id: 'b', features: { age: null } }).confidence // => 0.5
 * ```
 */
export function logistic({ labels }: Pick<Task, 'labels'>, training: readonly TrainingRow[]): BaselineRule {
  const rows = inOrderOfContent(training);
  const seen = [...new Set(rows.map(({ label }) => label))].sort((a, b) => a - b);
  const table = featureTable(rows.map(({ features }) => features));
  const { probabilities, converged, gradientNorm } = fitSoftmax(
    rows.map(({ features }) => table.read(features)),
    rows.map(({ label }) => seen.indexOf(label)),
    seen.length,
  );
  const fit = `logistic regression on ${rows.length} training rows${
    converged ? '' : ` (fit not converged: gradient norm ${gradientNorm.toExponential(1)})`
  }`;
  return ({ features }) => {
    const chances = probabilities(table.read(features));
    const confidence = Math.max(...chances);
    const prediction = labels[seen[chances.indexOf(confidence)]!]!;
    return {
      prediction,
      confidence,
      confidenceSource: 'calibrated',
      says: `${fit}: ${prediction} with probability ${confidence.toFixed(3)}`,
    };
  };
}

/** Floating-point sums depend on their order; sorting the rows makes the fit independent of it. */
function inOrderOfContent(rows: readonly TrainingRow[]): TrainingRow[] {
  return rows
    .map((row) => ({ row, content: canonicalJson(row) }))
    .toSorted((a, b) => (a.content < b.content ? -1 : a.content > b.content ? 1 : 0))
    .map(({ row }) => row);
}
