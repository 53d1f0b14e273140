import { describe, expect, it } from 'vitest';
import { llmTrait } from '../traits/llm-trait.ts';
import { ABSTENTION_TRAIT, type AskedTrait, readTraitValue, traitsToAsk, valuesText } from './asked.ts';

const helpful: AskedTrait = { name: 'Helpful', kind: 'boolean', description: 'It helps.' };
const clarity: AskedTrait = { name: 'Clarity', kind: 'score', min: 1, max: 5, description: 'How clear.' };
const tone: AskedTrait = {
  name: 'Tone',
  kind: 'literal',
  classes: ['cold', 'Warm'],
  description: 'The tone.',
};

describe('traitsToAsk', () => {
  it('asks for the abstention always, and first', () => {
    expect(traitsToAsk()).toEqual([ABSTENTION_TRAIT]);
    expect(traitsToAsk([helpful, tone]).map(({ name }) => name)).toEqual([
      'krisis.abstained',
      'Helpful',
      'Tone',
    ]);
  });

  it('takes the LLM traits of a rubric', () => {
    expect(traitsToAsk([llmTrait({ name: 'Kind', kind: 'boolean' })])).toHaveLength(2);
  });

  it('has a name for the abstention that no trait of a rubric can take', () => {
    expect(() => llmTrait({ name: ABSTENTION_TRAIT.name, kind: 'boolean' })).toThrow('dot');
  });

  it('refuses names that a reply could not tell apart', () => {
    expect(() => traitsToAsk([helpful, { ...tone, name: 'helpful' }])).toThrow('"helpful" is asked twice');
  });
});

describe('readTraitValue', () => {
  it.each([
    [helpful, true, true],
    [helpful, false, false],
    [helpful, ' True', true],
    [helpful, 'false', false],
    [helpful, 1, undefined],
    [helpful, 'yes', undefined],
    [helpful, null, undefined],
    [clarity, 3, 3],
    [clarity, '4.5', 4.5],
    [clarity, 0, undefined],
    [clarity, 6, undefined],
    [clarity, Number.NaN, undefined],
    [clarity, '', undefined],
    [clarity, true, undefined],
    [tone, 'Warm', 'Warm'],
    [tone, ' COLD ', 'cold'],
    [tone, 'hot', undefined],
    [tone, 1, undefined],
    [tone, undefined, undefined],
  ])('%j: %j is %j', (trait, value, expected) => {
    expect(readTraitValue(trait, value)).toBe(expected);
  });
});

it('valuesText says what may be answered', () => {
  expect([helpful, clarity, tone].map(valuesText)).toEqual([
    'true or false',
    'a number from 1 to 5',
    'one of "cold", "Warm"',
  ]);
});
