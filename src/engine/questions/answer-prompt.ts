import { contentHash, type PromptMessage, type TextRequest } from '../../core/index.ts';
import { ANSWER_INSTRUCTIONS } from '../../suites/index.ts';

/** Where the question stands in what is stored. */
const SLOT = '{{question}}';

const TEMPLATE: readonly PromptMessage[] = [
  { role: 'system', content: ANSWER_INSTRUCTIONS },
  { role: 'user', content: SLOT },
];

/** Changes when the wording changes: part of a run's identity. */
export const ANSWER_PROMPT_HASH = contentHash(TEMPLATE).slice(0, 16);

/** What a model is asked: the question, and that it may decline. Nothing of the rubric. */
export function answerRequest(question: string): TextRequest {
  const messages = TEMPLATE.map(({ role, content }) => ({
    role,
    content: content === SLOT ? question : content,
  }));
  return { messages, template: TEMPLATE };
}
