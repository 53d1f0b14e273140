import type { PromptMessage, TextRequest } from '../../core/index.ts';
import type { Question, TextTask } from '../../suites/index.ts';

/** The place of the question in the stored template. */
const SLOT = '{{question}}';

const templates = new WeakMap<TextTask, readonly PromptMessage[]>();

/** The prompt with its slot still empty; one object per task, because a run file stores each object once. */
export function answerTemplate(task: TextTask): readonly PromptMessage[] {
  let template = templates.get(task);
  if (template === undefined) {
    template = [
      { role: 'system', content: task.arms.open.instructions },
      { role: 'user', content: SLOT },
    ];
    templates.set(task, template);
  }
  return template;
}

/** What a model is asked: the question, and that it may decline. Nothing of the rubric. */
export function answerRequest(
  task: TextTask,
  { question, messages: turns }: Pick<Question, 'question' | 'messages'>,
): TextRequest {
  const template = answerTemplate(task);
  const asked: readonly PromptMessage[] = turns ?? [{ role: 'user', content: question }];
  const messages = template.flatMap((message) => (message.content === SLOT ? asked : [message]));
  return { messages, template };
}
