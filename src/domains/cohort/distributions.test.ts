import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../statistics/random.ts';
import { chance, choose, normal, truncatedNormal, uniform } from './distributions.ts';

const draws = (draw: (random: Random) => number, n = 20_000) => {
  const random = createRandom(1);
  return Array.from({ length: n }, () => draw(random));
};
const mean = (xs: number[]) => xs.reduce((sum, x) => sum + x, 0) / xs.length;

describe('distributions', () => {
  it('draws a standard normal', () => {
    const xs = draws(normal);
    expect(mean(xs)).toBeCloseTo(0, 1);
    expect(mean(xs.map((x) => x * x))).toBeCloseTo(1, 1);
  });

  it('stays finite when the generator returns 0', () => {
    const zero: Random = { generator: 'xoroshiro128plus', integer: () => 0, float: () => 0 };
    expect(normal(zero)).toBeLessThan(-8);
    expect(truncatedNormal(zero, { mean: 0, sd: 1 })).toBeLessThan(-8);
  });

  it('keeps a truncated normal inside its bounds, also far out in a tail', () => {
    const near = draws((random) => truncatedNormal(random, { mean: 0, sd: 1, low: -0.5, high: 2 }), 2000);
    expect(Math.min(...near)).toBeGreaterThanOrEqual(-0.5);
    expect(Math.max(...near)).toBeLessThanOrEqual(2);
    const far = draws((random) => truncatedNormal(random, { mean: 0, sd: 1, low: 9 }), 200);
    expect(Math.min(...far)).toBeGreaterThanOrEqual(9);
    expect(Math.max(...far)).toBeLessThan(20);
  });

  it('draws uniforms and chances', () => {
    expect(mean(draws((random) => uniform(random, 2, 4)))).toBeCloseTo(3, 1);
    expect(mean(draws((random) => Number(chance(random, 0.2))))).toBeCloseTo(0.2, 1);
  });

  it('chooses by weight and never what weighs nothing', () => {
    const random = createRandom(2);
    const counts = { a: 0, b: 0, c: 0 };
    for (let i = 0; i < 10_000; i++) counts[choose(random, { a: 1, b: 3, c: 0 })]++;
    expect(counts.b / 10_000).toBeCloseTo(0.75, 1);
    expect(counts.c).toBe(0);
  });
});
