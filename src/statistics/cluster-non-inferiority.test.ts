import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusteredDifference, clusterNonInferiority } from './cluster-non-inferiority.ts';
import { pairedScoreInterval } from './paired-score-interval.ts';

const inClusters = (n: number, size: number) => Array.from({ length: n }, (_, i) => Math.floor(i / size));

describe('clusteredDifference', () => {
  it('keeps a width where no pair differs, by the number of clusters', () => {
    const { interval, designEffect } = clusteredDifference(new Float64Array(100), inClusters(100, 4));
    expect(designEffect).toBe(4);
    expect(interval![1]).toBeCloseTo(0.1455818, 6);
    expect(interval![0]).toBe(-interval![1]);
  });

  it('has a reason where there is no interval', () => {
    const reason = (n: number, clusters: readonly number[]) =>
      clusteredDifference(new Float64Array(n), clusters).reason;
    expect(reason(0, [])).toBe('no_pairs');
    expect(reason(36, inClusters(36, 4))).toBe('too_few_clusters');
    expect(reason(40, inClusters(40, 4))).toBeNull();
    // One cluster has nine tenths of the records.
    expect(
      reason(
        100,
        [...Array(90).fill(0), ...Array(10).keys()].map((k, i) => (i < 90 ? 0 : k + 1)),
      ),
    ).toBe('interval_unbounded');
    expect(() => reason(1, [])).toThrow('differences has 1');
    expect(() => clusteredDifference([1.5], [0])).toThrow('expected a number between -1 and 1');
  });

  it('includes the estimate, lies within -1 to 1, turns with the models, and is never inside Tango on rows', () => {
    const difference = fc.constantFrom(0, 0, 0, 1, -1, 0.5, -0.5, 1 / 3, -2 / 3);
    const records = fc.array(fc.tuple(difference, fc.integer({ min: 0, max: 29 })), {
      minLength: 30,
      maxLength: 150,
    });
    fc.assert(
      fc.property(records, (rows) => {
        const differences = rows.map(([d]) => d);
        const clusters = rows.map(([, cluster]) => cluster);
        const found = clusteredDifference(differences, clusters);
        if (found.interval === null) return;
        const [lower, upper] = found.interval;
        expect(lower).toBeLessThanOrEqual(found.difference! + 1e-12);
        expect(upper).toBeGreaterThanOrEqual(found.difference! - 1e-12);
        expect(Math.max(-lower, upper)).toBeLessThanOrEqual(1);
        const turned = clusteredDifference(
          differences.map((d) => -d),
          clusters,
        ).interval!;
        expect(turned[0]).toBeCloseTo(-upper, 9);
        expect(turned[1]).toBeCloseTo(-lower, 9);
        const side = (sign: number) => differences.reduce((sum, d) => sum + Math.max(0, sign * d), 0);
        const tango = pairedScoreInterval({ b: side(1), c: side(-1), n: rows.length })!;
        expect(lower).toBeLessThanOrEqual(tango[0] + 1e-9);
        expect(upper).toBeGreaterThanOrEqual(tango[1] - 1e-9);
      }),
    );
  });
});

describe('clusterNonInferiority', () => {
  it('has a p-value below half the error exactly where it passes', () => {
    const clusters = inClusters(120, 4);
    const difference = fc.constantFrom(0, 0, 0, 0, 0, 1, -1, 0.5, -0.5);
    fc.assert(
      fc.property(
        fc.array(difference, { minLength: 120, maxLength: 120 }),
        fc.constantFrom(0, 0.02, 0.05, 0.1, 0.3),
        (differences, margin) => {
          const { status, p, interval } = clusterNonInferiority(differences, clusters, { margin });
          if (Math.abs(interval![0] + margin) > 1e-9) expect(status === 'pass').toBe(p! < 0.025);
        },
      ),
    );
  });

  it('is undecided, without statistic and p, where there is no interval', () => {
    expect(clusterNonInferiority([1, 0], ['a', 'b'], { margin: 0.1 })).toEqual({
      status: 'undecided',
      difference: 0.5,
      n: 2,
      nClusters: 2,
      interval: null,
      designEffect: null,
      statistic: null,
      p: null,
      reason: 'too_few_clusters',
    });
  });

  it('refuses a margin that is none', () => {
    for (const margin of [-0.1, Number.NaN])
      expect(() => clusterNonInferiority(new Float64Array(20), inClusters(20, 1), { margin })).toThrow(
        'the margin is',
      );
  });
});
