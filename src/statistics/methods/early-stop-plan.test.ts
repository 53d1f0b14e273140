import { expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { planEarlyStops } from './early-stop-plan.ts';
import { createSequentialGate } from './sequential-gate.ts';

it('agrees with walks through the gate itself', () => {
  const given = { limit: 0.8, nTotal: 150 };
  const plan = planEarlyStops({ ...given, expected: 0.88 })!;
  const random = createRandom(7);
  const counts = new Map<string, number>();
  let rows = 0;
  const n = 4000;
  for (let run = 0; run < n; run++) {
    const gate = createSequentialGate(given);
    let status = 'undecided';
    while (status === 'undecided') {
      const value = random.float() < 0.88 ? 1 : 0;
      status = gate.add({ low: value, high: value });
      rows += 1;
    }
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  const near = (status: string, chance: number) =>
    expect(Math.abs((counts.get(status) ?? 0) / n - chance)).toBeLessThan(0.03);
  near('pass', plan.pass);
  near('fail_shown', plan.failShown);
  near('fail_unreachable', plan.failUnreachable);
  expect(Math.abs(rows / n - plan.meanRows)).toBeLessThan(3);
});

it('sums to 1, and gives what is known of limit 0.9 and 1,000 rows', () => {
  for (const [expected, pass, mean] of [
    [0.97, 1, 118],
    [0.9, 0.0181, 697],
    [0.8, 0, 129],
  ] as const) {
    const plan = planEarlyStops({ limit: 0.9, expected, nTotal: 1000 })!;
    expect(plan.pass + plan.failShown + plan.failUnreachable + plan.failNotShown).toBeCloseTo(1, 9);
    expect(plan.pass).toBeCloseTo(pass, 3);
    expect(Math.round(plan.meanRows)).toBe(mean);
  }
});

it('knows a run that can never pass, and what makes no sense', () => {
  expect(planEarlyStops({ limit: 0.9, expected: 0.99, nTotal: 40 })).toMatchObject({ pass: 0, meanRows: 1 });
  expect(planEarlyStops({ limit: 1.2, expected: 0.9, nTotal: 40 })).toBeNull();
});
