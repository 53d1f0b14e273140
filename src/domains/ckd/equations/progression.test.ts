import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../../core/errors.ts';
import { kdigoProgression, progressionNearLine } from './progression.ts';

const between = (egfrBaseline: number, egfrCurrent: number, years = 1) =>
  kdigoProgression({ egfrBaseline, egfrCurrent, years });

describe('kdigoProgression', () => {
  it('describes a certain and rapid fall', () => {
    expect(between(95, 70, 2)).toEqual({
      categoryDrop: true,
      relativeDecline: 25 / 95,
      certainDrop: true,
      annualDecline: 12.5,
      rapidProgression: true,
      exceedsExpectedVariability: true,
    });
  });

  it('needs both a category drop and 25 % to be certain', () => {
    expect(between(61, 59)).toMatchObject({ categoryDrop: true, certainDrop: false });
    expect(between(88, 62)).toMatchObject({ categoryDrop: false, certainDrop: false });
    expect(between(60, 45)).toMatchObject({ categoryDrop: true, certainDrop: true });
  });

  it('counts 3a to 3b as a drop', () => {
    expect(between(46, 44).categoryDrop).toBe(true);
  });

  it('takes the edges as they are written, not as they round', () => {
    // 0.3 and 0.1 steps do not divide exactly in binary
    for (const baseline of [59.3, 61.7, 90.1, 33.3]) {
      expect(between(baseline, baseline * 0.8).exceedsExpectedVariability).toBe(false);
      expect(between(baseline, baseline * 1.2).exceedsExpectedVariability).toBe(false);
      expect(between(baseline, baseline * 0.75).relativeDecline).toBeCloseTo(0.25, 12);
    }
    expect(between(64.8, 59.8).rapidProgression).toBe(false);
    expect(between(64.8, 59.7).rapidProgression).toBe(true);
  });

  it('sees a rise as a change too, never as progression', () => {
    expect(between(30, 36.5)).toMatchObject({
      categoryDrop: false,
      annualDecline: -6.5,
      rapidProgression: false,
      exceedsExpectedVariability: true,
    });
  });

  it('has no annual fall when no time has passed', () => {
    expect(between(60, 45, 0)).toMatchObject({
      annualDecline: null,
      rapidProgression: null,
      certainDrop: true,
    });
  });

  it('has no relative fall from nothing', () => {
    expect(between(0, 5)).toMatchObject({ relativeDecline: null, exceedsExpectedVariability: true });
    expect(between(0, 0)).toMatchObject({ relativeDecline: null, exceedsExpectedVariability: false });
  });

  it('refuses time that runs backwards', () => {
    expect(() => between(60, 45, -1)).toThrow(KrisisError);
    expect(() => between(Number.NaN, 45)).toThrow(KrisisError);
  });
});

describe('progressionNearLine', () => {
  const lines = (relativeChange: number, slope: number) =>
    progressionNearLine({ relativeChange, slope }).lines.join(' ');

  it.each<[number, number, string]>([
    [-0.17, 0, 'relative_change'],
    [0.17, 0, 'relative_change'],
    [-0.33, 0, 'relative_change'],
    [-0.17 - 1e-10, 0, 'relative_change'],
    [-0.17 + 1e-10, 0, 'relative_change'],
    [0.33 + 1e-10, 0, 'relative_change'],
    [-0.17 + 1e-8, 0, ''],
    [-0.33 - 1e-8, 0, ''],
    [0, -4.5, 'slope'],
    [0, 5.5, 'slope'],
    [0, 4.5 - 1e-10, 'slope'],
    [0, -5.5 - 1e-10, 'slope'],
    [0, 4.5 - 1e-8, ''],
    [0, -5.5 - 1e-8, ''],
    [0, 0, ''],
  ])('has edges that belong to it: %f and %f', (relativeChange, slope, expected) => {
    expect(lines(relativeChange, slope)).toBe(expected);
  });

  it.each<[string, number, number, string]>([
    ['a steep slope settles a change in the same direction', -0.21, -9, ''],
    ['but not in the other', -0.21, 9, 'relative_change'],
    ['a slope at the edge settles nothing', -0.21, -5.5, 'relative_change slope'],
    ['a large change settles a slope in the same direction', -0.4, -5, ''],
    ['but not in the other', 0.4, -5, 'slope'],
    ['a change at the edge settles nothing', -0.33, -5, 'relative_change slope'],
    ['both settled', -0.5, -9, ''],
    ['two that contradict each other', -0.2, 5, 'relative_change slope'],
  ])('%s', (_, relativeChange, slope, expected) => {
    expect(lines(relativeChange, slope)).toBe(expected);
  });

  it('says that a course is missing', () => {
    const missing = { nearLine: null, lines: [], reason: 'missing_course' };
    expect(progressionNearLine({ relativeChange: null, slope: 3 })).toEqual(missing);
    expect(progressionNearLine({ relativeChange: -0.2, slope: null })).toEqual(missing);
  });
});
