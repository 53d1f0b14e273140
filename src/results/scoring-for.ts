import { type ActOptions, KrisisError, type Label, sameLabel } from '../core/index.ts';
import { type ScoringOptions, TASK_NAMES, type TableOptions } from '../metrics/index.ts';
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
export function runTableOptions({ task, actOptions }: Pick<RunResult, 'task' | 'actOptions'>): TableOptions {
  return { ...(task && tableOptionsFor(scoringFor(task))), ...actOptions };
}

/** How the rows of a run say that a case is urgent: as it was scored; before that, as its task says. */
export function storedActOptions(
  task: RunTask | null,
  { urgencyAsked, actLabels }: ScoringOptions,
): ActOptions {
  return {
    urgencyAsked: urgencyAsked ?? task?.urgencyAsked ?? undefined,
    actLabels: actLabels ?? task?.actLabels ?? undefined,
  };
}

/**
 * The same with labels that were stated afterwards, for a run without any of its own.
 *
 * @throws KrisisError where the run has others, or its model was asked whether a case is urgent.
 */
export function statedActOptions(
  own: ActOptions,
  stated: readonly Label[] | undefined,
  name: string,
): ActOptions {
  if (stated === undefined) return own;
  if (own.urgencyAsked === true)
    throw actLabelsError(name, 'its model was asked whether each case is urgent', stated);
  if (own.actLabels === undefined || own.actLabels.length === 0) return { ...own, actLabels: stated };
  const isSame =
    own.actLabels.length === stated.length &&
    stated.every((label) => own.actLabels!.some((known) => sameLabel(known, label)));
  if (!isSame) throw actLabelsError(name, `its act labels are ${own.actLabels.join(', ')}`, stated);
  return own;
}

/** The error for act labels that a run or file cannot be scored by. */
export function actLabelsError(name: string, why: string, stated: readonly Label[]): KrisisError {
  return new KrisisError(`${name}: ${why}; leave out the act labels ${stated.join(', ')}`, {
    code: 'ERR_ACT_LABELS',
    value: stated,
  });
}
