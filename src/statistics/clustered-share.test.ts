import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusteredShare, shareOfClusters } from './clustered-share.ts';
import { wilsonInterval } from './proportions.ts';

const sums = (...clusters: readonly (readonly [sum: number, n: number])[]) =>
  clusters.map(([sum, n]) => ({ sum, n }));
const times = (n: number, sum: number, rows: number) => Array.from({ length: n }, () => ({ sum, n: rows }));

describe('shareOfClusters', () => {
  it('is Wilson where every cluster has one row, and null without rows or with one cluster', () => {
    expect(shareOfClusters([...times(6, 1, 1), ...times(4, 0, 1)])).toMatchObject({
      interval: wilsonInterval(6, 10),
      method: 'wilson',
      nEffective: 10,
    });
    expect(shareOfClusters([])).toMatchObject({ value: null, interval: null, reason: 'no_rows' });
    expect(shareOfClusters(sums([3, 4]))).toMatchObject({
      value: 0.75,
      interval: null,
      method: null,
      reason: 'one_cluster',
    });
  });

  it('does not raise the lower limit when one row of agreeing clusters turns wrong', () => {
    const lower = (wrong: number) =>
      shareOfClusters([...times(wrong, 3, 4), ...times(13 - wrong, 4, 4)]).interval![0];
    // With one wrong it may not rise by more than the scale of K allows; ignoring K it would reach 0.88.
    expect(lower(0)).toBeCloseTo(0.7325, 4);
    expect(lower(1)).toBeCloseTo(0.7348, 4);
  });

  it('resamples from 50 clusters of which ten vary, and not before', () => {
    const method = (clusters: number, varying: number) =>
      shareOfClusters([...times(varying, 1, 3), ...times(clusters - varying, 3, 3)]).method;
    expect([method(49, 20), method(50, 9), method(50, 10)]).toEqual([
      'wilson_effective_t',
      'wilson_effective_t',
      'bca',
    ]);
  });

  it('never counts more rows than there are, nor fewer than clusters where all agree', () => {
    const cluster = fc
      .integer({ min: 1, max: 6 })
      .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
    fc.assert(
      fc.property(fc.array(cluster, { minLength: 2, maxLength: 70 }), (clusters) => {
        const share = shareOfClusters(sums(...clusters));
        expect(share.designEffect).toBeGreaterThanOrEqual(1);
        expect(share.nEffective! * share.designEffect!).toBeCloseTo(share.n, 8);
        if (share.value === 0 || share.value === 1) expect(share.nEffective).toBeCloseTo(clusters.length, 10);
        if (share.interval === null) return;
        expect(share.interval[0]).toBeLessThanOrEqual(share.value!);
        expect(share.interval[1]).toBeGreaterThanOrEqual(share.value!);
        const turned = shareOfClusters(sums(...clusters.map(([x, n]) => [n - x, n] as const)));
        expect(turned.interval![0]).toBeCloseTo(1 - share.interval[1], 10);
      }),
    );
  });
});

describe('clusteredShare', () => {
  it('resamples whole clusters, the same every time', () => {
    const values = Array.from({ length: 180 }, (_, i) => Number(i % 9 > 2));
    const clusters = values.map((_, i) => Math.floor(i / 3));
    const share = clusteredShare(values, clusters);
    expect(share).toEqual(clusteredShare(values, clusters));
    expect(share).toMatchObject({ method: 'bca', nClusters: 60, reason: null });
    // Clusters are all right or all wrong, so the interval is about as wide as that of 60 rows.
    const [lower, upper] = wilsonInterval(40, 60)!;
    expect(share.interval![0]).toBeCloseTo(lower, 1);
    expect(share.interval![1]).toBeCloseTo(upper, 1);
  });

  it('refuses what is no share, and lists of different lengths', () => {
    expect(() => clusteredShare([0.5], ['a'])).toThrow('row 0 of a share is 0.5; expected 0 or 1');
    expect(() => clusteredShare([1], [])).toThrow('clusters has 0');
    expect(() => clusteredShare([1], ['a'], 95)).toThrow('confidence level is 95');
  });
});
