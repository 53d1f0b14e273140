import { describe, expect, it } from 'vitest';
import { approach, type PaceCurve, searchFrom } from './learned-rate.ts';

const rateAfter = (curve: PaceCurve, milliseconds: number): number => {
  curve.advance(milliseconds);
  return curve.rate;
};

describe('the search', () => {
  it('doubles in 300 ms', () => {
    const curve = searchFrom(20, 0);
    expect([0, 300, 300, 150, 150].map((time) => Math.round(rateAfter(curve, time)))).toEqual([
      20, 40, 80, 113, 160,
    ]);
    expect(curve.ceiling).toBeNull();
  });

  it('doubles not faster than a refusal comes back', () => {
    expect(rateAfter(searchFrom(20, 1000), 1000)).toBeCloseTo(40);
  });

  it('takes at least two calls for it', () => {
    const curve = searchFrom(0.5, 0);
    expect(rateAfter(curve, 2000)).toBeCloseTo(0.5 * Math.SQRT2);
    expect(rateAfter(curve, 2000)).toBeCloseTo(2 ** (Math.SQRT2 / 2) * 0.5 * Math.SQRT2);
  });
});

describe('the approach to a ceiling', () => {
  it('begins a tenth below, is there after the plateau, and as far above after another', () => {
    const curve = approach(200, 2000);
    expect([0, 2000, 2000].map((time) => Math.round(rateAfter(curve, time)))).toEqual([180, 200, 220]);
    expect(curve.ceiling).toBe(200);
  });

  it('is fast when far from it and slow when near, on either side', () => {
    const curve = approach(200, 4000);
    const rates = Array.from({ length: 13 }, () => {
      const { rate } = curve;
      curve.advance(1000);
      return rate;
    });
    const steps = rates.slice(1).map((rate, i) => rate - rates[i]!);
    expect(steps.every((step) => step > 0)).toBe(true);
    expect(steps.slice(0, 4)).toEqual(steps.slice(0, 4).sort((a, b) => b - a));
    expect(steps.slice(4)).toEqual(steps.slice(4).sort((a, b) => a - b));
  });

  it('takes at least ten calls to be there, or ten seconds', () => {
    expect(rateAfter(approach(2, 2000), 5000)).toBe(2);
    expect(rateAfter(approach(0.5, 2000), 10_000)).toBe(0.5);
  });
});
