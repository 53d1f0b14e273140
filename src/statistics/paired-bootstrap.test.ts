import { expect, test } from 'vitest';
import { pairedBootstrap } from './paired-bootstrap.ts';

const scoresA = Array.from({ length: 400 }, (_, i) => (i % 10 === 0 ? 0 : 1));
const scoresB = Array.from({ length: 400 }, (_, i) => (i % 5 === 0 ? 0 : 1));

test('the interval agrees with the normal one on a large sample', () => {
  // d is 1 on a tenth of the records and 0 elsewhere: standard error sqrt(0.1 * 0.9 / 400) = 0.015.
  const { difference, interval } = pairedBootstrap(scoresA, scoresB, { seed: 1 })!;
  expect(difference).toBeCloseTo(0.1, 12);
  expect(Math.abs(interval![0] - (0.1 - 1.96 * 0.015))).toBeLessThan(0.004);
  expect(Math.abs(interval![1] - (0.1 + 1.96 * 0.015))).toBeLessThan(0.004);
});

test('the same seed gives the same interval, another seed another', () => {
  const options = { resamples: 500, level: 0.9 };
  const first = pairedBootstrap(scoresA, scoresB, { ...options, seed: 1 });
  expect(pairedBootstrap(scoresA, scoresB, { ...options, seed: 1 })).toEqual(first);
  expect(first).toMatchObject({ resamples: 500, level: 0.9, seed: 1, generator: 'xoroshiro128plus' });
  const uneven = scoresA.map((score, i) => score * (1 + i / 1000));
  const intervals = [1, 2].map((seed) => pairedBootstrap(uneven, scoresB, { ...options, seed })!.interval);
  expect(intervals[0]).not.toEqual(intervals[1]);
});

test('swapping the models mirrors the interval', () => {
  const ab = pairedBootstrap(scoresA, scoresB, { resamples: 300, seed: 5 })!;
  const ba = pairedBootstrap(scoresB, scoresA, { resamples: 300, seed: 5 })!;
  expect(ba.difference).toBeCloseTo(-ab.difference, 12);
  expect(ba.interval![0]).toBeCloseTo(-ab.interval![1], 12);
});

test('no records: null', () => {
  expect(pairedBootstrap([], [])).toBeNull();
});
