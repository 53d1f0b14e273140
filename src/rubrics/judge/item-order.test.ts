import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itemOrder } from './judge-prompt.ts';

const items = [...'abcdef'].map((id) => ({ id, instruction: id }));
const listIds = (pass: number, { given = items, seed = 42, question = 'Why?' } = {}) =>
  itemOrder(given, { seed, pass, question })
    .map(({ id }) => id)
    .join('');

describe('itemOrder', () => {
  it('asks in an order of its own in every pair of passes, and of every question and seed', () => {
    expect(new Set([listIds(0), listIds(2), listIds(4)]).size).toBe(3);
    expect(listIds(0)).not.toBe(listIds(0, { question: 'How?' }));
    expect(listIds(0)).not.toBe(listIds(0, { seed: 43 }));
    expect(listIds(0)).not.toBe('abcdef');
  });

  it('turns the order round in the second pass of a pair', () => {
    expect([...listIds(1)].reverse().join('')).toBe(listIds(0));
    expect([...listIds(3)].reverse().join('')).toBe(listIds(2));
  });

  it('does not follow the order in which items are given, leaves them untouched, and loses none', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(items, { minLength: 6 }), fc.nat(9), (given, pass) => {
        const before = [...given];
        expect(listIds(pass, { given })).toBe(listIds(pass));
        expect(given).toEqual(before);
        expect([...listIds(pass)].sort().join('')).toBe('abcdef');
      }),
    );
  });

  it('puts every item in every place about equally often over questions', () => {
    const places = Array.from({ length: 6 }, () => 0);
    for (let i = 0; i < 600; i++) places[listIds(0, { question: `Question ${i}` }).indexOf('a')]! += 1;
    for (const n of places) expect(n).toBeGreaterThan(60);
    for (const n of places) expect(n).toBeLessThan(140);
  });

  it('refuses a pass that is no count', () => {
    expect(() => listIds(-1)).toThrow('pass is -1; expected 0, 1, 2');
    expect(() => listIds(0.5)).toThrow('pass');
  });
});
