import type { Label } from '../core/label.ts';
import { TASK_NAMES } from '../metrics/bundle-options.ts';
import type { TableOptions } from '../metrics/columns.ts';
import type { ScoringOptions } from '../metrics/score.ts';
import type { RunResult, RunTask } from './run-result.ts';

/** How the rows of a task are scored: its pack, its positive label, its scale, its stratum, its reasons to defer, and whether labels can be read off the values. */
export function scoringFor(
  task: Pick<RunTask, 'ordered' | 'labels'> &
    Partial<Pick<RunTask, 'pack' | 'positiveLabel' | 'stratum' | 'labelFromValues'>> & {
      readonly deferralReasons?: RunTask['deferralReasons'] | undefined;
      readonly urgencyAsked?: boolean | null | undefined;
      readonly actLabels?: readonly Label[] | null | undefined;
    },
): ScoringOptions {
  const pack = TASK_NAMES.find((name) => name === task.pack);
  return {
    ...(task.stratum && { stratum: task.stratum }),
    ...(pack && { task: pack }),
    ...(task.labelFromValues && { labelFromValues: true }),
    ...(task.positiveLabel != null && { positiveLabel: task.positiveLabel }),
    ...(task.ordered && { labels: task.labels }),
    ...(task.labels.length > 0 && { taskLabels: task.labels }),
    ...(task.deferralReasons && { deferralReasons: task.deferralReasons }),
    ...(task.urgencyAsked != null && { urgencyAsked: task.urgencyAsked }),
    ...(task.actLabels && { actLabels: task.actLabels }),
  };
}

/** How rows scored by these options are put into columns. */
export function tableOptionsFor({
  stratum,
  deferralReasons,
  urgencyAsked,
  actLabels,
}: ScoringOptions): TableOptions {
  return { stratum, deferralReasons, urgencyAsked, actLabels };
}

/** How the rows of a run are put into columns. */
export function runTableOptions({ task }: Pick<RunResult, 'task'>): TableOptions {
  return task === null ? {} : tableOptionsFor(scoringFor(task));
}
