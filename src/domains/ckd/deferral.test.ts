import { describe, expect, it } from 'vitest';
import type { Assessment } from './case.ts';
import { deferralLabel } from './deferral.ts';

const at = (flipProbability: number | null, mustDefer: readonly string[] = []): Assessment<number> => ({
  answer: flipProbability === null ? null : 3,
  flipProbability,
  nearReason: 'near',
  mustDefer,
});

describe('deferralLabel', () => {
  it.each<[number, boolean | null]>([
    [0, false],
    [0.0499, false],
    [0.05, null],
    [0.1, null],
    [0.2, null],
    [0.2001, true],
    [0.6, true],
  ])('with a flip probability of %f says %s', (flip, shouldAbstain) => {
    expect(deferralLabel(at(flip))).toEqual({
      answer: 3,
      shouldAbstain,
      reasons: shouldAbstain ? ['near'] : [],
    });
  });

  it('moves the upper edge when told, and keeps the lower one', () => {
    expect([0.04, 0.06, 0.1, 0.11].map((flip) => deferralLabel(at(flip), 0.1).shouldAbstain)).toEqual([
      false,
      null,
      null,
      true,
    ]);
  });

  it('defers on missing data and invalid populations, and names every reason', () => {
    expect(deferralLabel(at(null, ['missing_age', 'pregnancy']))).toEqual({
      answer: null,
      shouldAbstain: true,
      reasons: ['missing_age', 'pregnancy'],
    });
    expect(deferralLabel(at(0.3, ['child'])).reasons).toEqual(['child', 'near']);
    expect(deferralLabel(at(0, ['child'])).shouldAbstain).toBe(true);
  });

  it('defers by nearness, not by flip probability, where a task has a rule for it', () => {
    expect(deferralLabel({ ...at(0.01), nearLine: true })).toMatchObject({
      shouldAbstain: true,
      reasons: ['near'],
    });
    expect(deferralLabel({ ...at(0.3), nearLine: false })).toMatchObject({
      shouldAbstain: null,
      reasons: [],
    });
    expect(deferralLabel({ ...at(0.3), nearReason: null })).toMatchObject({
      shouldAbstain: null,
      reasons: [],
    });
  });

  it('leaves a row unlabelled where no probability is known', () => {
    expect(deferralLabel(at(null))).toEqual({ answer: null, shouldAbstain: null, reasons: [] });
  });
});
