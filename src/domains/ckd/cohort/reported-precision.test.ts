import { describe, expect, it } from 'vitest';
import { roundToStep } from '../../cohort/distributions.ts';
import { REPORTED_STEP, reportedAcr } from './published.ts';

describe('roundToStep', () => {
  it('gives one answer for values that differ in their last bits', () => {
    for (const edge of [0.145, 1.235, 1.005, 9.995, 0.285]) {
      const around = [-4, -2, -1, 0, 1, 2, 4].map((ulps) => edge * (1 + ulps * Number.EPSILON));
      expect(new Set(around.map((value) => roundToStep(value, 0.01))).size).toBe(1);
    }
  });

  it('gives numbers that print in the step', () => {
    for (const step of [0.01, 0.1, 1, 10, 100]) {
      for (const value of [0.123456, 3.3, 17.77, 144.4, 12_345.6]) {
        expect(String(roundToStep(value, step)).length).toBeLessThanOrEqual(8);
        expect(Math.abs(roundToStep(value, step) - value)).toBeLessThanOrEqual(step / 2 + 1e-9);
      }
    }
  });

  it('knows a step for every numeric column', () => {
    expect(Object.values(REPORTED_STEP).every((step) => Number.isInteger(Math.log10(step)))).toBe(true);
  });
});

describe('reportedAcr', () => {
  it('has one decimal below 10', () => {
    expect([0.04, 9.94, 9.96, 10.4, 299.5].map(reportedAcr)).toEqual([0, 9.9, 10, 10, 300]);
  });
});
