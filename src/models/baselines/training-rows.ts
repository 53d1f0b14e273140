import { KrisisError } from '../../core/errors.ts';
import { labelKey } from '../../core/label.ts';
import type { Suite } from '../../suites/suite.ts';
import type { Features } from '../../suites/task.ts';

/** A training record that has a label. */
export interface TrainingRow {
  readonly features: Features;
  /** The label's position in `task.labels`. */
  readonly label: number;
}

/**
 * The rows a baseline may learn from: the training part, never the records to be evaluated. Rows without a
 * label (must-defer rows with no derivable answer) are left out. Throws for a suite without labelled training rows.
 *
 * @example
 * ```ts
 * const suite = {
 *   name: 'demo/yes-no', task: { labels: ['yes', 'no'] },
 *   training: async () => [{ id: 'a', features: { age: 61 }, label: 'No', metadata: {} }],
 * };
 * await trainingRows(suite) // => [{ features: { age: 61 }, label: 1 }]
 * ```
 */
export async function trainingRows(suite: Suite): Promise<TrainingRow[]> {
  const { name, task } = suite;
  const placeByLabel = new Map(task.labels.map((label, place) => [labelKey(label), place]));
  const rows = ((await suite.training?.()) ?? []).flatMap(({ id, features, label }) => {
    if (label === null) return [];
    const place = placeByLabel.get(labelKey(label));
    if (place === undefined) {
      throw new KrisisError(
        `suite ${name}, training case ${id}: label "${label}" is not among the labels: ${task.labels.join(', ')}`,
        { value: label, code: 'ERR_BASELINE_NOT_APPLICABLE' },
      );
    }
    return [{ features, label: place }];
  });
  if (rows.length === 0) {
    throw new KrisisError(
      `suite ${name} has no training part with labels, and the baselines majority and logistic need one: evaluate only a part of the rows (test_size: 0.5 in the YAML of a table, testSize in TypeScript), or define training() in a suite of your own; baseline/random and baseline/always-defer learn from nothing`,
      { value: name, code: 'ERR_BASELINE_NOT_APPLICABLE' },
    );
  }
  return rows;
}
