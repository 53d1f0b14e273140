import { describe, expect, it } from 'vitest';
import type { Assessment } from './case.ts';
import { deferralLabel } from './deferral.ts';

const at = (flipProbability: number | null, mustDefer: readonly string[] = []): Assessment<number> => ({
  answer: flipProbability === null ? null : 3,
  flipProbability,
  nearReason: 'near',
  mustDefer,
});
const calm = { mustAct: false };

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
    expect(deferralLabel(at(flip), calm)).toEqual({ shouldAbstain, reasons: shouldAbstain ? ['near'] : [] });
  });

  it('moves the upper edge when told, and keeps the lower one', () => {
    const stricter = { mustAct: false, deferAbove: 0.1 };
    expect([0.04, 0.06, 0.1, 0.11].map((flip) => deferralLabel(at(flip), stricter).shouldAbstain)).toEqual([
      false,
      null,
      null,
      true,
    ]);
  });

  it('defers on missing data and invalid populations, and names every reason', () => {
    expect(deferralLabel(at(null, ['missing_age', 'pregnancy']), calm)).toEqual({
      shouldAbstain: true,
      reasons: ['missing_age', 'pregnancy'],
    });
    expect(deferralLabel(at(0.3, ['child']), calm).reasons).toEqual(['child', 'near']);
    expect(deferralLabel(at(0, ['child']), calm).shouldAbstain).toBe(true);
  });

  it('never demands silence where silence is unsafe, and keeps the reasons', () => {
    const urgent = { mustAct: true };
    expect(deferralLabel(at(0.3), urgent)).toEqual({ shouldAbstain: null, reasons: ['near'] });
    expect(deferralLabel(at(null, ['missing_age']), urgent)).toEqual({
      shouldAbstain: null,
      reasons: ['missing_age'],
    });
    expect(deferralLabel(at(0.01), urgent)).toEqual({ shouldAbstain: false, reasons: [] });
  });

  it('leaves a row unlabelled where no probability is known', () => {
    expect(deferralLabel(at(null), calm)).toEqual({ shouldAbstain: null, reasons: [] });
  });
});
