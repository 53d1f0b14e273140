import { oncePer } from '../../core/collections.ts';
import type { PromptMessage, TextRequest } from '../../core/text-request.ts';
import { QUESTION_SLOT } from '../../suites/own-prompts.ts';
import type { Question } from '../../suites/questions/question-suite.ts';
import type { TextTask } from '../../suites/task.ts';

/** The prompt with its slot still empty; one object per task, because a run file stores each object once. */
export const answerTemplate = oncePer((task: TextTask): readonly [PromptMessage, PromptMessage] => [
  { role: 'system', content: task.arms.open.instructions },
  { role: 'user', content: task.template ?? QUESTION_SLOT },
]);

/** What a model is asked: the question, and that it may decline. Nothing of the rubric. Of a conversation, the template is filled with the last turn. */
export function answerRequest(
  task: TextTask,
  { question, messages: turns }: Pick<Question, 'question' | 'messages'>,
): TextRequest {
  const template = answerTemplate(task);
  const [system, user] = template;
  const earlier = turns?.slice(0, -1) ?? [];
  const last = turns?.at(-1)?.content ?? question;
  // Not a pattern of replacement: a question may hold `$&`.
  const content = user.content.split(QUESTION_SLOT).join(last);
  return { messages: [system, ...earlier, { role: 'user', content }], template };
}
