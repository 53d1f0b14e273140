import { z } from 'zod';
import { TRAIT_KINDS } from '../../rubrics/index.ts';

const text = (expected: string) => z.string({ error: expected }).trim().min(1, expected);
const texts = (expected: string) => z.array(text(expected), { error: expected });

const id = z
  .string({ error: 'a short text without blanks (a number in quotes)' })
  .regex(/^[^\s\p{C}]{1,120}$/u, 'a short text without blanks, as in egfr-52');

const PHRASES = 'a list of at least one phrase';
const aliases = z.record(z.string(), texts(PHRASES).min(1, PHRASES), {
  error: 'an object of phrases by instruction: { "Names paracetamol": [acetaminophen] }',
});

/** What is in it is checked by the rubric itself. */
const rubric = z.record(z.string(), z.unknown(), {
  error: `an object with ${TRAIT_KINDS.map(({ id }) => `${id}_traits`).join(', ')}`,
});

const questionFields = {
  id,
  question: text('the text that the model is asked'),
  reference: text('a model answer, as text').nullish(),
  rubric: rubric.optional(),
  tags: texts('a list of texts').default([]),
  should_abstain: z.boolean({ error: 'true, false or null' }).nullish(),
  sources: texts('a list of texts').default([]),
  aliases: aliases.default({}),
};

const suiteFields = {
  name: z
    .string({ error: 'a name: domain/task' })
    .regex(/^[\w.-]+(\/[\w.-]+)*$/, 'a name of letters, digits, - _ . and /, as in ward7/counselling'),
  sensitivity: z
    .enum(['synthetic', 'public', 'protected'], { error: 'synthetic, public or protected' })
    .default('protected'),
  rubric: rubric.optional(),
  aliases: aliases.default({}),
  questions: z
    .array(z.strictObject(questionFields, { error: objectError('an object with id and question') }), {
      error: 'a list of questions',
    })
    .min(1, 'at least one question'),
};

/** A file of questions, in the names that files have. A message says what was expected. */
export const questionSuiteSchema = z.strictObject(suiteFields, {
  error: objectError('an object with name and questions'),
});

export const QUESTION_KEYS = Object.keys(questionFields);
export const SUITE_KEYS = Object.keys(suiteFields);

export type CheckedQuestions = z.output<typeof questionSuiteSchema>;

/** Unknown keys keep zod's own issue, which names them; only something that is no object gets these words. */
function objectError(expected: string) {
  return (issue: { readonly code?: string }) => (issue.code === 'unrecognized_keys' ? undefined : expected);
}
