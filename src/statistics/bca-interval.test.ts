import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bcaInterval, percentileInterval } from './bootstrap.ts';

const replicates = Array.from({ length: 200 }, (_, i) => ((i * 73) % 200) / 200);

test('computed by hand with SciPy: skewed jackknife, biased estimate', () => {
  const result = bcaInterval({ estimate: 0.4, replicates, jackknife: [0.1, 0.4, 0.41, 0.43, 0.5] }, 0.9)!;
  expect(result.z0).toBeCloseTo(-0.2468814148543784, 10);
  expect(result.acceleration).toBeCloseTo(0.09320969057718788, 10);
  expect(result.interval[0]).toBeCloseTo(0.0316354955046041, 10);
  expect(result.interval[1]).toBeCloseTo(0.9086055243520766, 10);
});

test('no bias and no skew: the percentile interval', () => {
  const symmetric = Array.from({ length: 101 }, (_, i) => i);
  const { interval, z0 } = bcaInterval({ estimate: 50, replicates: symmetric, jackknife: [1, 1, 1] })!;
  expect(z0).toBe(0);
  const percentile = percentileInterval(symmetric)!;
  expect(interval[0]).toBeCloseTo(percentile[0], 9);
  expect(interval[1]).toBeCloseTo(percentile[1], 9);
});

test('all replicates on one side: percentile interval, z0 null', () => {
  for (const estimate of [-1, 2]) {
    const result = bcaInterval({ estimate, replicates, jackknife: [0, 1, 5] })!;
    expect(result.z0).toBeNull();
    expect(result.acceleration).not.toBe(0);
    expect(result.interval).toEqual(percentileInterval(replicates));
  }
});

test('replicates all equal to the estimate: that value', () => {
  expect(bcaInterval({ estimate: 1, replicates: [1, 1, 1], jackknife: [1, 1] })).toEqual({
    interval: [1, 1],
    z0: 0,
    acceleration: 0,
  });
});

test('nothing to go on: null', () => {
  expect(bcaInterval({ estimate: 1, replicates: [], jackknife: [] })).toBeNull();
  expect(bcaInterval({ estimate: 1, replicates: [1, null], jackknife: [] })).toBeNull();
  expect(bcaInterval({ estimate: Number.NaN, replicates: [1, 2], jackknife: [] })).toBeNull();
});

test('weighted jackknife values are repeated ones', () => {
  const weighted = bcaInterval({ estimate: 0.4, replicates, jackknife: [0, 1], jackknifeWeights: [1, 4] })!;
  const repeated = bcaInterval({ estimate: 0.4, replicates, jackknife: [0, 1, 1, 1, 1] })!;
  expect(weighted.interval[0]).toBeCloseTo(repeated.interval[0], 12);
  expect(weighted.interval[1]).toBeCloseTo(repeated.interval[1], 12);
});

test('the bounds are in order, finite, and among the replicates, also where 1 - a (z0 + z) falls below 0', () => {
  const level = fc.double({ min: 0.01, max: 1 - 1e-15, noNaN: true });
  const estimate = fc.double({ min: -0.1, max: 1.1, noNaN: true });
  const outliers = fc.constantFrom(
    [0, ...new Array<number>(500).fill(1)],
    [1, ...new Array<number>(500).fill(0)],
  );
  fc.assert(
    fc.property(level, estimate, outliers, (share, t, jackknife) => {
      const [lower, upper] = bcaInterval({ estimate: t, replicates, jackknife }, share)!.interval;
      expect(lower).toBeGreaterThanOrEqual(0);
      expect(upper).toBeGreaterThanOrEqual(lower);
      expect(upper).toBeLessThanOrEqual(0.995);
    }),
  );
});
