import type { ActOptions } from '../core/decision-class.ts';
import type { Run } from '../store/run.ts';

/** How the rows of a run say that a case is urgent. */
export function actOptions({ task }: Pick<Run, 'task'>): ActOptions {
  return { urgencyAsked: task?.urgencyAsked ?? undefined, actLabels: task?.actLabels ?? undefined };
}
