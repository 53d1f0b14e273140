import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../core/errors.ts';
import { parseQuestionSuite } from './question-suite.ts';

const trait = (name: string, ...instructions: string[]) => ({
  name,
  metrics: ['recall'],
  tp_instructions: instructions,
});
const question = (more: object = {}) => ({
  id: 'a',
  question: 'Why?',
  rubric: { metric_traits: [trait('t', 'Names X')] },
  ...more,
});
const suite = (more: object = {}, of: object = {}) =>
  parseQuestionSuite({ name: 'n', questions: [question(of)], ...more });

describe('the hash', () => {
  it('is the same on every machine', () => {
    // Worked out apart, from the canonical JSON of [{ aliases, id, question, rubric, should_abstain }].
    expect(suite().hash).toBe('a9279698e8a260ef9e1c068e5a470a6c87a4058e62726e496e1c8b038478304d');
  });

  it('stays when nothing that is asked or judged changes', () => {
    const others = [
      suite({ name: 'm', sensitivity: 'public' }),
      suite({}, { tags: ['x'], sources: ['y'], reference: 'z', should_abstain: null }),
      // The rubric of all questions judges no otherwise than one of the question's own.
      suite({ rubric: { metric_traits: [trait('t', 'Names X')] } }, { rubric: {} }),
    ];
    expect(new Set(others.map(({ hash }) => hash))).toEqual(new Set([suite().hash]));
  });

  it('changes with what is asked or judged', () => {
    const hashes = [
      suite(),
      suite({}, { id: 'b' }),
      suite({}, { question: 'How?' }),
      suite({}, { should_abstain: true }),
      suite({}, { should_abstain: false }),
      suite({}, { rubric: { metric_traits: [trait('t', 'Names Y')] } }),
      suite({}, { aliases: { 'Names X': ['ex'] } }),
      suite({ rubric: { regex_traits: [{ name: 'r', pattern: 'x' }] } }),
      suite({ questions: [question(), question({ id: 'b' })] }),
      suite({ questions: [question({ id: 'b' }), question()] }),
    ].map(({ hash }) => hash);
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

describe('aliases', () => {
  it('of the file come before those of the question, each once', () => {
    const { questions } = suite(
      { aliases: { 'Names X': ['ex', 'x'] } },
      { aliases: { ' Names X ': ['x', 'iks'] } },
    );
    expect(questions[0]!.aliases).toEqual({ 'Names X': ['ex', 'x', 'iks'] });
  });

  it('of the file reach the questions that have the instruction', () => {
    const other = question({ id: 'b', rubric: { metric_traits: [trait('t', 'Names Y')] } });
    const { questions } = suite({ aliases: { 'Names X': ['ex'] }, questions: [question(), other] });
    expect(questions.map(({ aliases }) => aliases)).toEqual([{ 'Names X': ['ex'] }, {}]);
  });

  it('of an unknown instruction are refused', () => {
    expect(() => suite({ aliases: { 'Mentions Z': ['z'] } })).toThrow(
      'questions: aliases for "Mentions Z", which is not an instruction of its rubric',
    );
  });
});

it('takes functions for callable traits', () => {
  const given = { name: 'n', rubric: { callable_traits: [{ name: 'short' }] }, questions: [question()] };
  const { rubric } = parseQuestionSuite(given, 'here', { short: (answer) => answer.length < 9 });
  expect(rubric.callableTraits[0]!.evaluate!('12345678', '')).toBe(true);
});

it('names every rubric that is wrong', () => {
  const wrong = { metric_traits: [{ name: 't', metrics: ['recal'], tp_instructions: ['x'] }] };
  const questions = [
    question({ rubric: wrong }),
    question({ id: 'b' }),
    question({ id: 'c', rubric: wrong }),
  ];
  expect(() => suite({ questions })).toThrow(/questions\[0\]\.rubric[\s\S]*questions\[2\]\.rubric/);
});

it('lists no more than 20 problems', () => {
  const questions = Array.from({ length: 25 }, () => ({ id: 1 }));
  expect(() => suite({ questions })).toThrow(/and 30 more problems$/);
});

it('takes anything in, or says why not', () => {
  fc.assert(
    fc.property(
      fc.object({ key: fc.constantFrom('name', 'questions', 'rubric', 'id'), withNullPrototype: true }),
      (value) => {
        try {
          return parseQuestionSuite(value).questions.length > 0;
        } catch (error) {
          return error instanceof KrisisError;
        }
      },
    ),
  );
});

it('is a suite: records, a task with one arm, and a description', async () => {
  const suite = parseQuestionSuite({
    name: 'ward7/advice',
    sensitivity: 'public',
    questions: [
      { id: 'a', question: 'Why?', should_abstain: true, tags: ['x'] },
      { id: 'b', question: 'How?', should_abstain: false },
    ],
  });
  expect(suite.task).toMatchObject({ kind: 'text', id: 'ward7/advice', defaultArm: 'open' });
  expect(await suite.load()).toEqual([
    { id: 'a', features: { question: 'Why?' }, label: null, metadata: { should_abstain: true, tags: ['x'] } },
    { id: 'b', features: { question: 'How?' }, label: null, metadata: { should_abstain: false } },
  ]);
  expect(await suite.describe()).toMatchObject({
    name: 'ward7/advice',
    domain: 'ward7',
    hash: suite.hash,
    nRecords: 2,
    labels: [],
    deferral: { mustDefer: 1, mustAnswer: 1, unlabelled: 0 },
    arms: ['open'],
    primaryEndpoint: null,
  });
});

it('has a code for questions that are not valid', () => {
  expect(() => parseQuestionSuite({})).toThrow(expect.objectContaining({ code: 'ERR_QUESTIONS_INVALID' }));
});

describe('a conversation', () => {
  const rubric = {
    metric_traits: [{ name: 'advice', metrics: ['recall'], tp_instructions: ['Asks for an ECG'] }],
  };
  const turns = [
    { role: 'user', content: 'My potassium is 6.1.' },
    { role: 'assistant', content: 'Do you feel unwell?' },
    { role: 'user', content: 'No.' },
  ];
  const createSuite = (question: object) =>
    parseQuestionSuite({ name: 'x', questions: [{ id: 'a', rubric, ...question }] });

  it('is one text for judges and readers, and keeps its turns for the model', () => {
    const [question] = createSuite({ messages: turns }).questions;
    expect(question).toMatchObject({ messages: turns });
    expect(question!.question).toBe(
      'User: My potassium is 6.1.\n\nAssistant: Do you feel unwell?\n\nUser: No.',
    );
  });

  it('of one turn is that question, with the same hash', () => {
    const alone = createSuite({ messages: turns.slice(0, 1) });
    expect(alone.questions[0]).toMatchObject({ question: 'My potassium is 6.1.', messages: null });
    expect(alone.hash).toBe(createSuite({ question: 'My potassium is 6.1.' }).hash);
    expect(createSuite({ messages: turns }).hash).not.toBe(alone.hash);
  });

  it.each([
    [{ messages: turns.slice(0, 2) }, 'a last turn of the user'],
    [{ messages: [] }, 'at least one turn'],
    [{ messages: [{ role: 'system', content: 'x' }] }, 'user or assistant'],
    [{ messages: turns, question: 'x' }, 'either a question or messages, not both'],
    [{}, 'question is not given; expected the text that the model is asked'],
  ])('%j is refused', (question, expected) => {
    expect(() => createSuite(question)).toThrow(expected);
  });
});
