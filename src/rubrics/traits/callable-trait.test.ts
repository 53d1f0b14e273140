import { expect, it } from 'vitest';
import { callableKind, callableOutcome, callableTrait } from './callable-trait.ts';
import type { TraitFunctions } from './trait.ts';

const parse = (object: unknown, functions: TraitFunctions = {}) =>
  callableKind.parse(object, 'callable trait', functions);

const outcome = (evaluate: (answer: string, question: string) => unknown) =>
  callableOutcome(callableTrait({ name: 'c', evaluate: evaluate as () => boolean }), 'answer', 'question');

it('gives the function the answer and the question, and takes its value with its kind', () => {
  expect(outcome((answer, question) => `${question}: ${answer}`)).toEqual({
    kind: 'literal',
    value: 'question: answer',
    position: null,
  });
  expect(outcome((answer) => answer.length)).toEqual({ kind: 'score', value: 6 });
  expect(outcome(() => false)).toEqual({ kind: 'boolean', value: false });
});

it.each<[string, () => unknown, string]>([
  [
    'throws',
    () => {
      throw new Error('no network');
    },
    'the function failed: no network',
  ],
  ['gives nothing', () => undefined, 'the function gave undefined; expected true or false'],
  ['gives NaN', () => Number.NaN, 'the function gave NaN'],
  ['gives a promise', async () => true, 'the function gave a promise'],
])('is unscored when the function %s', (_, evaluate, reason) => {
  expect(outcome(evaluate)).toEqual({ kind: 'unscored', reason: expect.stringContaining(reason) });
});

it('is stored by its name, and gets its function back by it', () => {
  const wire = callableKind.toJSON(callableTrait({ name: 'Short', evaluate: () => true }));
  expect(wire).toEqual({ name: 'Short', higher_is_better: true });
  expect(callableOutcome(parse(wire), 'a', 'q')).toEqual({
    kind: 'unscored',
    reason: 'the function was not given',
  });
  const found = parse(wire, { Short: () => true });
  expect(callableOutcome(found, 'a', 'q')).toEqual({ kind: 'boolean', value: true });
});

it('never takes code from a file, nor something else than a function', () => {
  expect(() => parse({ name: 'c', callable_code: 'x' })).toThrow('code is never taken from a rubric');
  // @ts-expect-error a text is no function
  expect(() => callableTrait({ name: 'c', evaluate: 'x' })).toThrow('expected a function');
});
