import { KrisisError } from '../core/errors.ts';

/** Prompts of the user's own for the model that answers. */
export interface OwnPrompts {
  /** The system prompt, in place of the instructions of the suite. Default: those of the suite. */
  readonly system?: string | undefined;
  /** The user's message of an open question, with `{{question}}` where the question goes. Default: the question alone. */
  readonly template?: string | undefined;
}

/** The place of the question in a template. */
export const QUESTION_SLOT = '{{question}}';

/** Refuses an empty system prompt, and a template without a place for the question. */
export function checkPrompts({ system, template }: OwnPrompts): void {
  if (system?.trim() === '')
    throw new KrisisError('the system prompt is empty', { code: 'ERR_PROMPT_INVALID', value: system });
  if (template !== undefined && !template.includes(QUESTION_SLOT))
    throw new KrisisError(`the template has no ${QUESTION_SLOT}: the question would not be asked`, {
      code: 'ERR_PROMPT_INVALID',
      value: template,
    });
}
