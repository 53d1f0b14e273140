import type { ScoringOptions } from '../metrics/index.ts';
import type { Task } from '../suites/index.ts';

/** How the rows of a task are scored: its pack, its positive label, its scale, its stratum. */
export function scoringFor(
  task: Pick<Task, 'pack' | 'positiveLabel' | 'ordered' | 'labels' | 'stratum'>,
): ScoringOptions {
  return {
    ...(task.stratum && { stratum: task.stratum }),
    ...(task.pack && { task: task.pack }),
    ...(task.positiveLabel !== undefined && { positiveLabel: task.positiveLabel }),
    ...(task.ordered && { labels: task.labels }),
  };
}
