import { z } from 'zod';
import type { KrisisError } from '../../core/errors.ts';
import { nearNames } from '../../core/near-names.ts';
import { quoted } from '../../core/plain-text.ts';
import { TRAIT_KINDS } from '../../rubrics/traits/kinds.ts';
import { QUESTION_SLOT } from '../own-prompts.ts';
import {
  mismatch,
  objectError,
  problemLines,
  sensitivity,
  suiteName,
  turnFields,
  turns,
  valueAt,
  words,
} from '../schema-problem.ts';
import { invalidQuestions, type Path, type QuestionSource, questionIndex } from './question-source.ts';

const texts = (expected: string) => z.array(words(expected), { error: expected });

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

/** The keys of a question. */
export const QUESTION_FIELDS = {
  id: id.describe('A short text without spaces, unique in the file.'),
  question: words('the text that the model is asked')
    .optional()
    .describe('The prompt for the model, word for word; this or `messages`.'),
  messages: turns(
    z.strictObject(turnFields, { error: objectError('an object with role and content') }),
    'a list of turns: { role: user, content: ... }',
  )
    .optional()
    .describe(
      'A conversation: turns with `role` (`user` or `assistant`) and `content`, the last one of the user.',
    ),
  reference: words('a model answer, as text')
    .nullish()
    .describe(
      'Your own answer, for readers and `baseline/reference`. Neither the model nor the judge sees it.',
    ),
  rubric: rubric.optional().describe('What the answer is judged by, see below.'),
  tags: texts('a list of texts').default([]).describe('Words for grouping.'),
  should_abstain: z
    .boolean({ error: 'true, false or null' })
    .nullish()
    .describe('Whether deferring is right. Default: not labelled.'),
  sources: texts('a list of texts').default([]).describe('The sources of the items.'),
  aliases: aliases.default({}).describe('Other wordings of an instruction, for the judge without a model.'),
};

/** The keys at the top of a file of questions. */
export const SUITE_FIELDS = {
  name: suiteName('ward7/counselling').describe('The name of the suite, `domain/task`.'),
  sensitivity: sensitivity.describe('`protected`, `public` or `synthetic`. Default: `protected`.'),
  system: words('the system prompt of the model, as text')
    .optional()
    .describe('A system prompt of your own.'),
  template: words('the message of the user, with {{question}} in it')
    .refine((text) => text.includes(QUESTION_SLOT), `a text with ${QUESTION_SLOT} where the question goes`)
    .optional()
    .describe('The message of the user, with `{{question}}` in it. Default: the question alone.'),
  rubric: rubric.optional().describe('Traits for every answer, merged into the rubric of each question.'),
  aliases: aliases.default({}).describe('As below, for instructions that several questions share.'),
  questions: z
    .array(z.strictObject(QUESTION_FIELDS, { error: objectError('an object with id and question') }), {
      error: 'a list of questions',
    })
    .min(1, 'at least one question')
    .describe('The questions.'),
};

/** A file of questions, in the names that files have. A message says what was expected. */
const questionSuiteSchema = z.strictObject(SUITE_FIELDS, {
  error: objectError('an object with name and questions'),
});

const QUESTION_KEYS = Object.keys(QUESTION_FIELDS);
const SUITE_KEYS = Object.keys(SUITE_FIELDS);

export type CheckedQuestions = z.output<typeof questionSuiteSchema>;

/** The questions with their defaults filled in, or one error that says what is wrong with them and where. */
export function checkQuestions(source: QuestionSource): CheckedQuestions {
  const parsed = questionSuiteSchema.safeParse(source.value);
  const problems = [
    ...(parsed.success ? [] : parsed.error.issues.flatMap((issue) => describeIssue(issue, source))),
    ...withoutQuestion(source),
    ...repeatedIds(source),
  ];
  if (parsed.success && problems.length === 0) return parsed.data;
  throw questionError(problems);
}

/** One error for all problems: up to 20 of them in its message, all of them in `value`. */
export function questionError(problems: readonly string[]): KrisisError {
  return invalidQuestions(problemLines(problems), { value: problems });
}

function describeIssue(issue: z.core.$ZodIssue, source: QuestionSource): string[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => unknownKey([...issue.path, key], source));
  const wrong = mismatch(source.value, issue.path, issue.message);
  return [`${source.place(issue.path)}: ${source.key(issue.path)} ${wrong}`];
}

function unknownKey(path: Path, source: QuestionSource): string {
  const typed = String(path.at(-1));
  const known = questionIndex(path) === null ? SUITE_KEYS : QUESTION_KEYS;
  const [near] = nearNames(typed, known);
  const hint = near === undefined ? `the known keys are ${known.join(', ')}` : `did you mean ${near}?`;
  return `${source.place(path)}: unknown key ${quoted(typed)}; ${hint}`;
}

/** A question is either a text or the turns of a conversation. */
function withoutQuestion(source: QuestionSource): string[] {
  const questions = valueAt(source.value, ['questions']);
  return (Array.isArray(questions) ? questions : []).flatMap((question: unknown, i) => {
    if (typeof question !== 'object' || question === null) return [];
    const has = (key: string) => valueAt(question, [key]) !== undefined;
    if (has('question') !== has('messages')) return [];
    const path = ['questions', i, has('question') ? 'messages' : 'question'];
    const expected = has('question')
      ? 'either a question or messages, not both'
      : 'the text that the model is asked';
    return [`${source.place(path)}: ${source.key(path)} ${mismatch(source.value, path, expected)}`];
  });
}

/** Looked for in what was read, so that it is said beside whatever else is wrong. */
function repeatedIds(source: QuestionSource): string[] {
  const questions = valueAt(source.value, ['questions']);
  const first = new Map<string, number>();
  return (Array.isArray(questions) ? questions : []).flatMap((question: unknown, i) => {
    const id = valueAt(question, ['id']);
    if (typeof id !== 'string') return [];
    const before = first.get(id);
    if (before === undefined) {
      first.set(id, i);
      return [];
    }
    const earlier = source.place(['questions', before, 'id']);
    return [
      `${source.place(['questions', i, 'id'])}: id ${quoted(id)} is already that of question ${before + 1} (${earlier}); give each question an id of its own`,
    ];
  });
}
