import { expect, it } from 'vitest';
import { llmKind, llmOutcome, llmTrait } from './llm-trait.ts';

const parse = (object: unknown) => llmKind.parse(object, 'LLM trait', {});

it('fills in the defaults', () => {
  expect(llmTrait({ name: 'Clear', kind: 'boolean' })).toEqual({
    name: 'Clear',
    description: 'Clear',
    kind: 'boolean',
    higherIsBetter: true,
  });
  expect(llmTrait({ name: 'Clear', kind: 'score' })).toMatchObject({ min: 1, max: 5 });
});

it.each([
  { name: 'a', kind: 'boolean', higher_is_better: false },
  { name: 'b', description: 'How clear.', kind: 'score', min: 0, max: 2.5, higher_is_better: true },
  { name: 'c', kind: 'literal', classes: ['bad', 'fair', 'good'], higher_is_better: true },
])('reads what it writes: %j', (wire) => {
  expect(llmKind.toJSON(parse(wire))).toEqual(wire);
});

it('reads a range under the names that Karenina gives it', () => {
  expect(parse({ name: 'a', kind: 'score', min_score: 0, max_score: 9 })).toMatchObject({
    min: 0,
    max: 9,
  });
  expect(() => parse({ name: 'a', kind: 'score', min: 0, min_score: 1 })).toThrow('min is given twice');
});

it.each<[string, object, string]>([
  ['no kind', {}, 'kind is not given; expected one of boolean, score, literal'],
  ['another kind', { kind: 'number' }, 'kind is "number"'],
  [
    'a range the wrong way round',
    { kind: 'score', min: 5, max: 1 },
    'the range is 5 to 1; expected min below max',
  ],
  ['a bound that is no number', { kind: 'score', max: '5' }, 'max is "5"; expected a number'],
  ['one class', { kind: 'literal', classes: ['a'] }, 'classes is ["a"]; expected a list of at least two'],
  ['no classes', { kind: 'literal' }, 'classes is not given'],
  ['classes that are one', { kind: 'literal', classes: ['a', 'A '] }, 'different names'],
  ['a blank class', { kind: 'literal', classes: ['a', ''] }, 'different names'],
  [
    'classes of a score',
    { kind: 'score', classes: ['a', 'b'] },
    'classes belongs to kind literal, and kind is score',
  ],
  ['a range of a boolean', { kind: 'boolean', max: 3 }, 'max belongs to kind score'],
  ['a dot in the name', { kind: 'boolean', name: 'a.b' }, 'has a dot in it'],
])('refuses %s', (_, more, message) => {
  expect(() => parse({ name: 'a', ...more })).toThrow(message);
});

it('takes the values of its kind and no others', () => {
  const boolean = llmTrait({ name: 'a', kind: 'boolean' });
  const score = llmTrait({ name: 'b', kind: 'score' });
  const literal = llmTrait({ name: 'c', kind: 'literal', classes: ['low', 'high'] });
  expect(llmOutcome(boolean, false)).toEqual({ kind: 'boolean', value: false });
  expect(llmOutcome(score, 4.5)).toEqual({ kind: 'score', value: 4.5 });
  expect(llmOutcome(literal, 'low')).toEqual({ kind: 'literal', value: 'low', position: 0 });
  expect([
    llmOutcome(boolean, 1),
    llmOutcome(score, 6),
    llmOutcome(score, Number.NaN),
    llmOutcome(literal, null),
  ]).toEqual([
    { kind: 'unscored', reason: '1 is neither true nor false' },
    { kind: 'unscored', reason: '6 is no number from 1 to 5' },
    { kind: 'unscored', reason: expect.stringContaining('is no number from 1 to 5') },
    { kind: 'unscored', reason: 'no_value' },
  ]);
});
