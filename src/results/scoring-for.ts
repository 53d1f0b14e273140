import type { Label, Stratum } from '../core/index.ts';
import { type ScoringOptions, TASK_NAMES } from '../metrics/index.ts';

/** How the rows of a task are scored: its pack, its positive label, its scale, its stratum. */
export function scoringFor(task: {
  readonly pack?: string | null;
  readonly positiveLabel?: Label | null;
  readonly ordered: boolean;
  readonly labels: readonly Label[];
  readonly stratum?: Stratum;
}): ScoringOptions {
  const pack = TASK_NAMES.find((name) => name === task.pack);
  return {
    ...(task.stratum && { stratum: task.stratum }),
    ...(pack && { task: pack }),
    ...(task.positiveLabel != null && { positiveLabel: task.positiveLabel }),
    ...(task.ordered && { labels: task.labels }),
  };
}
