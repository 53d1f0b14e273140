import { expect, it } from 'vitest';
import { lintQuestions } from './check-file.ts';
import { parseQuestionSuite } from './question-suite.ts';

const trait = (name: string) => ({ name, metrics: ['recall'], tp_instructions: ['Names rest and fluids'] });

it('says once what is wrong with the rubric of all questions, and of each question what is its own', () => {
  const suite = parseQuestionSuite({
    name: 'own/x',
    rubric: { metric_traits: [{ ...trait('all'), description: 'Source: own' }] },
    questions: [
      { id: 'q1', question: 'Why?', rubric: { metric_traits: [trait('mine')] } },
      { id: 'q2', question: 'How?', sources: ['KDIGO 2024'], rubric: { metric_traits: [trait('mine')] } },
    ],
  });
  expect(lintQuestions(suite).map(({ code, where }) => [code, where])).toEqual([
    ['compound', 'rubric, all: tp_instructions[0]'],
    ['compound', 'q1, mine: tp_instructions[0]'],
    ['no_source', 'q1, mine'],
    ['compound', 'q2, mine: tp_instructions[0]'],
  ]);
});
