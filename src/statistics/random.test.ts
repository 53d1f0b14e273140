import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom, RANDOM_STREAMS, type RandomPurpose, shuffle } from './random.ts';

const first = (seed: number, purpose?: RandomPurpose): number[] => {
  const random = createRandom(seed, purpose);
  return Array.from({ length: 5 }, () => random.integer(1000));
};

test('a seed gives these very numbers, on every machine and in every version', () => {
  expect(first(42)).toEqual([442, 545, 969, 650, 763]);
  expect(first(42, 'pairedBootstrap')).toEqual([968, 522, 620, 622, 936]);
  expect(first(-1)).toEqual([850, 742, 916, 53, 980]);
  const random = createRandom(2024);
  expect([random.float(), random.float()]).toEqual([0.5659783484002986, 0.6519107080343173]);
  expect(random.generator).toBe('xoroshiro128plus');
});

test('streams and neighbouring seeds have nothing in common', () => {
  const purposes = ['bootstrap', 'pairedBootstrap', 'signFlip'] as const;
  const starts = [0, 1, 2, 3].flatMap((seed) => purposes.map((purpose) => first(seed, purpose).join(' ')));
  expect(new Set(starts).size).toBe(12);
  const firstFloats = Array.from({ length: 1000 }, (_, seed) => createRandom(seed).float());
  const average = firstFloats.reduce((a, b) => a + b) / 1000;
  expect(average).toBeGreaterThan(0.45);
  expect(average).toBeLessThan(0.55);
});

test('no two purposes share a stream', () => {
  const streams = Object.values(RANDOM_STREAMS);
  expect(new Set(streams).size).toBe(streams.length);
});

test('whole numbers stay below the bound and all occur', () => {
  const random = createRandom(1);
  const seen = [0, 0, 0, 0, 0];
  for (let i = 0; i < 5000; i++) seen[random.integer(5)]! += 1;
  expect(seen.reduce((a, b) => a + b)).toBe(5000);
  for (const count of seen) expect(Math.abs(count - 1000)).toBeLessThan(120);
  expect(random.integer(1)).toBe(0);
  for (const below of [2 ** 21, 2 ** 21 + 1, 2 ** 32]) {
    let highest = 0;
    for (let i = 0; i < 1000; i++) highest = Math.max(highest, random.integer(below));
    expect(highest / below).toBeGreaterThan(0.98);
    expect(highest).toBeLessThan(below);
  }
});

test('what cannot be drawn is refused', () => {
  expect(() => createRandom(1).integer(0)).toThrow('below 0');
  expect(() => createRandom(1.5)).toThrow('whole number');
});

test('shuffle keeps the elements', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer({ min: 0, max: 1e9 }), (array, seed) => {
      const shuffled = shuffle(createRandom(seed), [...array]);
      expect(shuffled.toSorted((a, b) => a - b)).toEqual(array.toSorted((a, b) => a - b));
    }),
  );
});

test('shuffle gives all six orders of three equally often', () => {
  const random = createRandom(3);
  const orders = new Map<string, number>();
  for (let i = 0; i < 6000; i++) {
    const order = shuffle(random, ['a', 'b', 'c']).join('');
    orders.set(order, (orders.get(order) ?? 0) + 1);
  }
  expect(orders.size).toBe(6);
  for (const count of orders.values()) expect(Math.abs(count - 1000)).toBeLessThan(120);
});
