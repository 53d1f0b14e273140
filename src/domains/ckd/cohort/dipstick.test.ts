import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../statistics/random.ts';
import { normal } from '../../cohort/distributions.ts';
import { DIPSTICK_LOG_SD, dipstickGrade } from './generate-cohort.ts';

describe('dipstickGrade', () => {
  it('mostly agrees with the KDIGO equivalents, as strips do', () => {
    const random = createRandom(6);
    const shareFrom = (acr: number, grade: number) => {
      const strips = Array.from({ length: 4000 }, () => dipstickGrade(acr, DIPSTICK_LOG_SD * normal(random)));
      return strips.filter((shown) => shown >= grade).length / strips.length;
    };
    expect(shareFrom(10, 1)).toBeLessThan(0.02);
    expect(shareFrom(100, 1)).toBeGreaterThan(0.9);
    expect(shareFrom(100, 3)).toBeLessThan(0.02);
    expect(shareFrom(1000, 2)).toBeGreaterThan(0.99);
  });

  it('ends at 5', () => {
    expect(dipstickGrade(9999, 3)).toBe(5);
  });
});
