import { expect, it } from 'vitest';
import { Rubric } from '../rubric.ts';
import { lengthKind } from './length-trait.ts';

const parse = (object: object) => lengthKind.parse({ name: 'a', ...object }, 'length trait', {});
const holds = (limits: object, answer: string) => lengthKind.outcome(parse(limits), answer, null);

it.each([
  [{ max: 3 }, 'Eat less salt.', true],
  [{ max: 2 }, 'Eat less salt.', false],
  [{ min: 3, max: 3 }, '  Eat less\nsalt!  ', true],
  [{ min: 1 }, ' ... ', false],
  [{ unit: 'characters', max: 4 }, 'Café', true],
  [{ unit: 'characters', max: 4 }, 'Cafe\u0301', true],
  [{ unit: 'characters', max: 1 }, '👩‍⚕️', true],
  [{ unit: 'characters', min: 5 }, 'Café', false],
])('%j on %j: %s', (limits, answer, value) => {
  expect(holds(limits, answer)).toEqual({ kind: 'boolean', value });
});

it.each([
  { name: 'a', unit: 'words', max: 200, higher_is_better: true },
  { name: 'a', description: 'Short.', unit: 'characters', min: 0, max: 9, higher_is_better: false },
])('reads what it writes: %j', (file) => {
  expect(lengthKind.toJSON(parse(file))).toEqual(file);
  expect(Rubric.parse({ length_traits: [file] }).toJSON()).toEqual({ length_traits: [file] });
});

it.each<[object, string]>([
  [{}, 'neither min nor max is given; expected a limit'],
  [{ min: 5, max: 3 }, 'min is 5 and max is 3; expected min at or below max'],
  [{ max: 2.5 }, 'max is 2.5; expected a whole number from 0'],
  [{ min: '3' }, 'min is "3"; expected a whole number from 0'],
  [{ max: 3, unit: 'lines' }, 'unit is "lines"; expected one of words, characters'],
  [{ maximum: 3 }, 'unknown field "maximum"'],
])('refuses %j', (limits, message) => {
  expect(() => parse(limits)).toThrow(message);
});

it('is merged and asks no judge', () => {
  const brief = Rubric.parse({ length_traits: [{ name: 'brief', max: 50 }] });
  const merged = Rubric.merge(brief, Rubric.parse({ regex_traits: [{ name: 'units', pattern: 'mg' }] }));
  expect(merged.traits.map(({ kind, trait }) => [kind.id, trait.name])).toEqual([
    ['regex', 'units'],
    ['length', 'brief'],
  ]);
  expect(merged.judgeQuestions()).toEqual({ items: [], llmTraits: [] });
});
