import { describe, expect, it } from 'vitest';
import { randomLabel } from './rules.ts';

const labels = ['stable', 'worsening', 'improving'];
const ids = Array.from({ length: 3000 }, (_, i) => `record-${i}`);
const answers = (seed: number, order = ids) => {
  const rule = randomLabel({ labels }, seed);
  return new Map(order.map((id) => [id, rule({ id, features: {} }).prediction]));
};

describe('randomLabel', () => {
  it('gives every label about as often as the others', () => {
    const counts = labels.map((label) => [...answers(42).values()].filter((given) => given === label).length);
    // 1000 each are expected, with an SD of 26.
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(100);
  });

  it('depends on seed and id, not on the order of calls', () => {
    const forwards = answers(42);
    const backwards = answers(42, ids.toReversed());
    expect(ids.every((id) => forwards.get(id) === backwards.get(id))).toBe(true);
    const other = answers(43);
    const agree = ids.filter((id) => forwards.get(id) === other.get(id)).length;
    expect(Math.abs(agree - 1000)).toBeLessThan(100);
  });

  it('stays what it was: these answers are fixed', () => {
    const rule = randomLabel({ labels }, 42);
    expect(
      ['a', 'b', 'c', 'd', 'e'].map((id) => rule({ id, features: {} }).prediction),
    ).toMatchInlineSnapshot(`
      [
        "stable",
        "worsening",
        "improving",
        "stable",
        "stable",
      ]
    `);
  });

  it('refuses a seed that is no whole number', () => {
    expect(() => randomLabel({ labels }, 0.5)).toThrow('seed is 0.5; expected a whole number');
  });
});
