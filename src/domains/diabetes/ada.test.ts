import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../core/errors.ts';
import { diabetesConfirmed, type GlycaemiaTest, glycaemiaCategory } from './ada.ts';

describe('glycaemiaCategory', () => {
  it.each<[GlycaemiaTest, number[]]>([
    ['hba1cPercent', [5.69, 5.7, 6.49, 6.5]],
    ['fpgMgDl', [99.9, 100, 125.9, 126]],
    ['ogtt2hMgDl', [139.9, 140, 199.9, 200]],
  ])('%s is half-open at its edges', (test, values) => {
    expect(values.map((value) => glycaemiaCategory(test, value))).toEqual([
      'normal',
      'prediabetes',
      'prediabetes',
      'diabetes',
    ]);
  });

  it('refuses values that are not results', () => {
    expect(() => glycaemiaCategory('fpgMgDl', Number.NaN)).toThrow(KrisisError);
    expect(() => glycaemiaCategory('fpgMgDl', 0)).toThrow('fpgMgDl is 0');
  });
});

describe('diabetesConfirmed', () => {
  it.each([
    ['the same test twice', { hba1cPercent: [7, 6.8] }, true],
    ['two tests once', { hba1cPercent: [6.5], fpgMgDl: [126] }, true],
    ['fasting and two-hour', { fpgMgDl: [130], ogtt2hMgDl: [210] }, true],
    ['one abnormal result', { hba1cPercent: [9] }, false],
    ['discordant tests', { hba1cPercent: [6.8], fpgMgDl: [118] }, false],
    ['discordant, then repeated', { hba1cPercent: [6.8, 6.7], fpgMgDl: [118] }, true],
    ['random with symptoms', { randomMgDl: [200], classicSymptoms: true }, true],
    ['random below the line with symptoms', { randomMgDl: [199.9], classicSymptoms: true }, false],
    ['random without symptoms', { randomMgDl: [260, 270], classicSymptoms: false }, false],
    ['random without symptoms beside one abnormal', { randomMgDl: [260], fpgMgDl: [130] }, false],
    ['symptoms and one fasting value', { fpgMgDl: [180], classicSymptoms: true }, false],
    ['nothing', {}, false],
  ])('%s', (_, results, expected) => {
    expect(diabetesConfirmed(results)).toBe(expected);
  });
});
