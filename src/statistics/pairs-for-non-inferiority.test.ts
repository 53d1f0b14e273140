import { describe, expect, it } from 'vitest';
import { clusteredDifference } from './cluster-non-inferiority.ts';
import { pairedScoreInterval } from './paired-score-interval.ts';
import { fewestPairs, pairsForNonInferiority } from './power.ts';

describe('fewestPairs', () => {
  it.each([0.01, 0.02, 0.05, 0.1, 0.3, 0.7])('is the first number that can pass at %d', (margin) => {
    const n = fewestPairs({ margin });
    const lower = (pairs: number) => pairedScoreInterval({ b: 0, c: 0, n: pairs })?.[0] ?? -1;
    expect(lower(n)).toBeGreaterThan(-margin);
    expect(lower(n - 1)).toBeLessThanOrEqual(-margin);
  });

  it.each([0.02, 0.05, 0.1, 0.3, 0.7])('is the first number of clusters that can pass at %d', (margin) => {
    const n = fewestPairs({ margin, clustered: true });
    const lower = (clusters: number) =>
      clusteredDifference(
        new Float64Array(3 * clusters),
        Array.from({ length: 3 * clusters }, (_, i) => i % clusters),
      ).interval?.[0] ?? -1;
    expect(lower(n)).toBeGreaterThan(-margin);
    expect(lower(n - 1)).toBeLessThanOrEqual(-margin);
  });

  it('refuses a margin that is none', () => {
    for (const margin of [0, -0.1, 2, Number.NaN])
      expect(() => fewestPairs({ margin })).toThrow('the margin is');
  });
});

it('needs more pairs the more often the models differ, and never fewer than can pass', () => {
  const pairs = (discordantProportion: number) =>
    pairsForNonInferiority({ margin: 0.05, discordantProportion });
  expect([pairs(0), pairs(0.05), pairs(0.2)]).toEqual([73, 157, 628]);
});
