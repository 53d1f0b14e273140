import { type ScoringOptions, TASK_NAMES } from '../metrics/index.ts';
import type { RunTask } from './run-result.ts';

/** How the rows of a task are scored: its pack, its positive label, its scale, its stratum, its reasons to defer, and whether labels can be read off the values. */
export function scoringFor(
  task: Pick<RunTask, 'ordered' | 'labels'> &
    Partial<Pick<RunTask, 'pack' | 'positiveLabel' | 'stratum' | 'labelFromValues'>> & {
      readonly deferralReasons?: RunTask['deferralReasons'] | undefined;
    },
): ScoringOptions {
  const pack = TASK_NAMES.find((name) => name === task.pack);
  return {
    ...(task.stratum && { stratum: task.stratum }),
    ...(pack && { task: pack }),
    ...(task.labelFromValues && { labelFromValues: true }),
    ...(task.positiveLabel != null && { positiveLabel: task.positiveLabel }),
    ...(task.ordered && { labels: task.labels }),
    ...(task.deferralReasons && { deferralReasons: task.deferralReasons }),
  };
}
