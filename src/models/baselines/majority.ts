import type { Task } from '../../suites/index.ts';
import type { BaselineRule } from './baseline-backend.ts';
import type { TrainingRow } from './training-rows.ts';

/**
 * Always answers the most frequent label of the training part, with that label's share there as confidence. Ties go to the first label
 * in the task's order. A model that does not beat it has learned nothing from the features.
 *
 * @example
 * ```ts
 * const rule = majority({ labels: ['yes', 'no'] }, [{ label: 1 }, { label: 1 }, { label: 0 }, { label: 1 }]);
 * const { prediction, confidence } = rule({ id: 'a', features: {} });
 * [prediction, confidence] // => ['no', 0.75]
 * ```
 */
export function majority(
  { labels }: Pick<Task, 'labels'>,
  training: readonly Pick<TrainingRow, 'label'>[],
): BaselineRule {
  const counts = labels.map((_, place) => training.filter(({ label }) => label === place).length);
  const most = Math.max(...counts);
  const prediction = labels[counts.indexOf(most)]!;
  return () => ({
    prediction,
    confidence: most / training.length,
    confidenceSource: 'calibrated',
    says: `majority: ${prediction}, the label of ${most} of ${training.length} training rows`,
  });
}
