import { describe, expect, it } from 'vitest';
import { standardisedShare, wilsonInterval } from './proportions.ts';
import { createRandom, drawBinomial } from './random.ts';

describe('standardisedShare', () => {
  it('is the part itself where one part has all the weight', () => {
    const parts = [
      { weight: 1, value: 0.7, lower: 0.5, upper: 0.8 },
      { weight: 0, value: 0.1, lower: 0, upper: 0.4 },
    ];
    const { value, lower, upper } = standardisedShare(parts);
    expect([value, lower, upper].map((one) => one.toFixed(9))).toEqual([
      '0.700000000',
      '0.500000000',
      '0.800000000',
    ]);
  });

  it('is wider where the parts may depend on each other', () => {
    const parts = [
      { weight: 0.5, value: 0.7, lower: 0.5, upper: 0.8 },
      { weight: 0.5, value: 0.6, lower: 0.4, upper: 0.7 },
    ];
    const [apart, together] = [standardisedShare(parts), standardisedShare(parts, { independent: false })];
    expect(together.lower).toBeLessThan(apart.lower);
    expect(together.lower).toBeCloseTo(0.45, 12);
  });

  it('covers the truth about as often as it says', () => {
    const random = createRandom(7);
    const truth = 0.1 * 0.6 + 0.9 * 0.85;
    let covered = 0;
    for (let i = 0; i < 1000; i++) {
      const part = (n: number, share: number, weight: number) => {
        const successes = drawBinomial(n, share, random);
        const [lower, upper] = wilsonInterval(successes, n, 0.95)!;
        return { weight, value: successes / n, lower, upper };
      };
      const { lower, upper } = standardisedShare([part(30, 0.6, 0.1), part(70, 0.85, 0.9)]);
      if (lower <= truth && truth <= upper) covered += 1;
    }
    expect(covered).toBeGreaterThan(925);
    expect(covered).toBeLessThan(985);
  });
});
