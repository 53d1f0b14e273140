import { expect, it } from 'vitest';
import { drawPeople, ETHNICITIES } from './people.ts';

const first = (seed: number, n: number) => drawPeople(seed).take(n).toArray();

it('draws the same people for a seed, however many are asked for', () => {
  expect(first(42, 50)).toEqual(first(42, 500).slice(0, 50));
  expect(first(43, 50)).not.toEqual(first(42, 50));
});

it('draws adults of every group, with sex and ethnicity independent of age', () => {
  const people = first(42, 20_000);
  expect(new Set(people.map(({ ethnicity }) => ethnicity))).toEqual(new Set(ETHNICITIES));
  expect(Math.min(...people.map(({ age }) => age))).toBe(20);
  expect(Math.max(...people.map(({ age }) => age))).toBe(88);
  const share = (of: typeof people) => of.filter(({ sex }) => sex === 'female').length / of.length;
  for (const old of [true, false])
    expect(Math.abs(share(people.filter(({ age }) => age >= 65 === old)) - 0.5)).toBeLessThan(0.02);
});
