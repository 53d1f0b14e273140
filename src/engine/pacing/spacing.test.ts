import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SLACK, Spacing } from './learned-rate.ts';

describe('even spacing', () => {
  it('lets the first start at once, and the next when its interval has passed', () => {
    const spacing = new Spacing();
    expect(spacing.wait(1000)).toBe(0);
    spacing.start(1000, 100);
    expect(spacing.wait(1030)).toBe(70);
  });

  it('makes up for a start that came a little late, and not for idle time', () => {
    const spacing = new Spacing();
    spacing.start(0, 100);
    spacing.start(104, 100);
    expect(spacing.wait(104)).toBe(96);
    spacing.start(5000, 100);
    expect(spacing.wait(5000)).toBe(100 - SLACK);
  });

  it('distinguishes a start that was held back from one that came late', () => {
    const spacing = new Spacing();
    expect([0, 105, 350].map((now) => spacing.start(now, 100))).toEqual([false, true, false]);
  });

  it('has nothing to make up for after a restart', () => {
    const spacing = new Spacing();
    spacing.start(0, 100);
    spacing.restart();
    expect(spacing.wait(5)).toBe(0);
    spacing.start(5, 100);
    expect(spacing.wait(5)).toBe(100);
  });

  it('keeps any k + 1 starts at least k intervals less the slack apart', () => {
    const gaps = fc.array(fc.double({ min: 0, max: 60, noNaN: true }), { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(gaps, fc.double({ min: 0.1, max: 30, noNaN: true }), (late, interval) => {
        const spacing = new Spacing();
        let now = 0;
        const starts = late.map((gap) => {
          now += Math.max(0, spacing.wait(now)) + gap * (gap > 30 ? 1 : 0.1);
          spacing.start(now, interval);
          return now;
        });
        for (const [i, from] of starts.entries())
          for (let k = 1; i + k < starts.length; k++)
            expect(starts[i + k]! - from).toBeGreaterThanOrEqual(k * interval - SLACK - 1e-9);
      }),
    );
  });
});
