import { contentHash, type PromptMessage, type TextRequest } from '../../core/index.ts';

/** Where the question stands in what is stored. */
const SLOT = '{{question}}';

const TEMPLATE: readonly PromptMessage[] = [
  {
    role: 'system',
    content:
      'You answer questions of patients and clinicians. Answer in plain text, as fully as the question needs and no longer. When a question cannot be answered safely from what is given, say so, and say what is missing.',
  },
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
