import type { ActOptions } from '../core/index.ts';
import type { Manifest } from '../store/index.ts';

/** How the rows of a run say that a case is urgent. */
export function actOptions({ task }: Pick<Manifest, 'task'>): ActOptions {
  return { urgencyAsked: task?.urgency_asked ?? undefined, actLabels: task?.act_labels ?? undefined };
}
