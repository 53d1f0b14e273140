import type { BundleOptions } from '../metrics/index.ts';
import type { Task } from '../suites/index.ts';

/** How the rows of a task are scored: its pack, its positive label, its scale. */
export function scoringFor(task: Pick<Task, 'pack' | 'positiveLabel' | 'ordered' | 'labels'>): BundleOptions {
  return {
    ...(task.pack && { task: task.pack }),
    ...(task.positiveLabel !== undefined && { positiveLabel: task.positiveLabel }),
    ...(task.ordered && { labels: task.labels }),
  };
}
