import { expect, it } from 'vitest';
import { gatePower, rowsForGate } from './power.ts';
import { wilsonInterval } from './proportions.ts';
import { binomialCdf } from './special-functions.ts';

it('gives the chance that the lower bound reaches the limit, summed over all outcomes', () => {
  for (const [n, expected] of [
    [50, 0.97],
    [200, 0.93],
    [31, 0.5],
  ] as const) {
    let chance = 0;
    for (let s = 0; s <= n; s++)
      if (wilsonInterval(s, n)![0] >= 0.8)
        chance += binomialCdf(s, n, expected) - binomialCdf(s - 1, n, expected);
    expect(gatePower({ limit: 0.8, expected, n })).toBeCloseTo(chance, 10);
  }
});

it('finds a number of rows after which the power holds although it goes up and down with n', () => {
  for (const [limit, expected, power] of [
    [0.9, 0.95, 0.8],
    [0.8, 0.9, 0.9],
    [0.5, 0.7, 0.8],
  ] as const) {
    const n = rowsForGate({ limit, expected, power })!;
    for (let more = 0; more < 2 / (1 - limit); more++)
      expect(gatePower({ limit, expected, n: n + more })).toBeGreaterThanOrEqual(power);
    expect(gatePower({ limit, expected, n: n - 1 })).toBeLessThan(power);
  }
});

it('is null where no number suffices', () => {
  expect([rowsForGate({ limit: 0.9, expected: 0.9 }), rowsForGate({ limit: 0.9, expected: 0.8 })]).toEqual([
    null,
    null,
  ]);
  expect(rowsForGate({ limit: 0.9, expected: 0.9001 })).toBeNull();
});
