import { describe, expect, it } from 'vitest';
import { expectedOverPairs, expectedOverSuccesses } from '../../bench/exact-expectation.ts';
import { nonInferiority, pairedScoreInterval } from './paired-score-interval.ts';
import { wilsonInterval } from './proportions.ts';

const covers = ([lower, upper]: readonly [number, number], truth: number) =>
  Number(lower <= truth + 1e-12 && truth - 1e-12 <= upper);

// Summed over every outcome with its probability, so nothing is left to chance; bench/coverage.ts has the whole tables.
describe('error rates that the documentation promises', () => {
  it.each([
    [20, 0.02],
    [20, 0.1],
    [100, 0.02],
    [100, 0.08],
    [200, 0.05],
    [400, 0.02],
  ])('the gate passes a model worse by the margin in at most 3 %%: n %i, %d discordant', (n, discordant) => {
    const error = expectedOverPairs({ n, discordant, difference: -0.02 }, (b, c) =>
      Number(nonInferiority(pairedScoreInterval({ b, c, n })!, 0.02) === 'pass'),
    );
    expect(error).toBeLessThanOrEqual(0.03);
  });

  it.each([
    [0, 0.05],
    [0.05, 0.05],
    [0.02, 0.1],
    [0.1, 0.1],
    [0.1, 0.3],
  ])('an interval of a difference of %d with %d discordant covers it in at least 92 %%, n 100', (d, psi) => {
    const coverage = expectedOverPairs({ n: 100, discordant: psi, difference: d }, (b, c) =>
      covers(pairedScoreInterval({ b, c, n: 100 })!, d),
    );
    expect(coverage).toBeGreaterThanOrEqual(0.92);
  });

  it('an interval of a share covers it in at least 92 %, n 100, from 0.05 to 0.95', () => {
    for (let p = 0.05; p <= 0.951; p += 0.01)
      expect(expectedOverSuccesses(100, p, (x) => covers(wilsonInterval(x, 100)!, p))).toBeGreaterThanOrEqual(
        0.92,
      );
  });
});
