import { KrisisError } from '../core/index.ts';
import type { AnyTask } from '../suites/index.ts';

/** The task with one of its arms chosen. */
export function selectArm<T extends AnyTask>(task: T, arm: string | undefined): T {
  if (arm === undefined || arm === task.defaultArm) return task;
  if (!Object.hasOwn(task.arms, arm)) {
    throw new KrisisError(
      `task ${task.id} has no arm "${arm}"; there are: ${Object.keys(task.arms).join(', ')}`,
      { code: 'ERR_ARM_NOT_FOUND', value: arm },
    );
  }
  return { ...task, defaultArm: arm };
}
