import { describe, expect, it } from 'vitest';
import { createRandom, drawBinomial, drawMultinomial } from './random.ts';

const DRAWS = 100_000;

/** P(k) from its neighbours, from the largest outwards. */
function shares(n: number, p: number): number[] {
  const mode = Math.floor((n + 1) * p);
  const terms = new Array<number>(n + 1).fill(0);
  terms[mode] = 1;
  for (let k = mode; k < n; k++) terms[k + 1] = (terms[k]! * (n - k) * p) / ((k + 1) * (1 - p));
  for (let k = mode; k > 0; k--) terms[k - 1] = (terms[k]! * k * (1 - p)) / ((n - k + 1) * p);
  const sum = terms.reduce((total, term) => total + term, 0);
  return terms.map((term) => term / sum);
}

/** How far counts are from what is expected, in standard deviations of the chi-square statistic; rare outcomes are pooled. */
function distance(counts: readonly number[], expected: readonly number[]): number {
  const bins: [number, number][] = [];
  let pooled: [number, number] = [0, 0];
  expected.forEach((share, k) => {
    pooled = [pooled[0] + counts[k]!, pooled[1] + share * DRAWS];
    if (pooled[1] < 20) return;
    bins.push(pooled);
    pooled = [0, 0];
  });
  bins[bins.length - 1]![0] += pooled[0];
  bins[bins.length - 1]![1] += pooled[1];
  const statistic = bins.reduce((sum, [seen, wanted]) => sum + (seen - wanted) ** 2 / wanted, 0);
  const freedom = bins.length - 1;
  return (statistic - freedom) / Math.sqrt(2 * freedom);
}

describe('drawBinomial', () => {
  it.each([
    [1, 0.3],
    [8, 0.3],
    [30, 0.5],
    [25, 0.97],
    [60, 0.25],
    [400, 0.9],
    [5000, 0.02],
    [10_000, 0.33],
  ])('draws from %i trials at %f as often as it should', (n, p) => {
    const random = createRandom(42);
    const counts = new Array<number>(n + 1).fill(0);
    for (let i = 0; i < DRAWS; i++) counts[drawBinomial(n, p, random)]! += 1;
    expect(Math.abs(distance(counts, shares(n, p)))).toBeLessThan(4);
  });

  it('knows what is certain', () => {
    const random = createRandom(42);
    expect(drawBinomial(9, 0, random)).toBe(0);
    expect(drawBinomial(9, 1, random)).toBe(9);
    expect(drawBinomial(0, 0.5, random)).toBe(0);
  });
});

describe('drawMultinomial', () => {
  it('draws what single draws would count, each kind by its share and all together n', () => {
    const random = createRandom(42);
    const times = Uint32Array.of(700, 0, 200, 90, 10);
    const counts = new Uint32Array(times.length);
    const n = 50;
    const seen = times.map(() => 0) as Uint32Array;
    const perKind = Array.from(times, () => new Array<number>(n + 1).fill(0));
    for (let i = 0; i < DRAWS; i++) {
      drawMultinomial(counts, times, n, random);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(n);
      counts.forEach((count, kind) => {
        perKind[kind]![count]! += 1;
        seen[kind]! += count;
      });
    }
    expect(seen[1]).toBe(0);
    for (const kind of [0, 2, 3, 4])
      expect(Math.abs(distance(perKind[kind]!, shares(n, times[kind]! / 1000)))).toBeLessThan(4);
  });
});
