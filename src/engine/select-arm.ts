import { KrisisError } from '../core/errors.ts';
import { checkPrompts, type OwnPrompts } from '../suites/own-prompts.ts';
import type { AnyTask } from '../suites/task.ts';
import { taskKind } from './task-kinds.ts';

/** The task with one of its arms chosen. */
export function selectArm<T extends AnyTask>(task: T, arm: string | undefined): T {
  if (arm === undefined || arm === task.defaultArm) return task;
  if (!Object.hasOwn(task.arms, arm)) {
    throw new KrisisError(
      `task ${task.id} has no arm "${arm}"; available: ${Object.keys(task.arms).join(', ')}`,
      { code: 'ERR_ARM_NOT_FOUND', value: arm },
    );
  }
  return { ...task, defaultArm: arm };
}

/** The task in the words of the user: a system prompt in place of the arm's instructions, and for open questions a template of the message. */
export function withPrompts<T extends AnyTask>(task: T, prompts: OwnPrompts): T {
  const { system, template } = prompts;
  if (system === undefined && template === undefined) return task;
  checkPrompts(prompts);
  if (template !== undefined && !taskKind(task).takesTemplate)
    throw new KrisisError(
      `${task.id}: a template of the message is for open questions; labels take a system prompt`,
      {
        code: 'ERR_PROMPT_INVALID',
        value: template,
      },
    );
  const arms: Readonly<Record<string, { readonly instructions: string }>> = task.arms;
  const own = { ...arms[task.defaultArm]!, ...(system !== undefined && { instructions: system.trim() }) };
  return {
    ...task,
    arms: { ...arms, [task.defaultArm]: own },
    ...(template !== undefined && { template }),
  };
}
