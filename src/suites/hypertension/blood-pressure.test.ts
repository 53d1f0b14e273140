import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../core/krisis-error.ts';
import { accAha2017, esc2024, isSevereRange } from './blood-pressure.ts';

describe('accAha2017', () => {
  it.each([
    [119, 79, 'normal'],
    [120, 79, 'elevated'],
    [129.9, 79.9, 'elevated'],
    [129, 80, 'stage_1'],
    [130, 70, 'stage_1'],
    [139, 89, 'stage_1'],
    [140, 70, 'stage_2'],
    [118, 90, 'stage_2'],
    [200, 130, 'stage_2'],
  ])('%d/%d is %s', (systolic, diastolic, expected) => {
    expect(accAha2017(systolic, diastolic)).toBe(expected);
  });
});

describe('esc2024', () => {
  it.each([
    [119, 69, 'non_elevated'],
    [120, 65, 'elevated'],
    [118, 70, 'elevated'],
    [139, 89, 'elevated'],
    [140, 60, 'hypertension'],
    [110, 90, 'hypertension'],
  ])('%d/%d is %s', (systolic, diastolic, expected) => {
    expect(esc2024(systolic, diastolic)).toBe(expected);
  });
});

it('marks the severe range above its edges', () => {
  expect(isSevereRange(180, 120)).toBe(false);
  expect(isSevereRange(181, 80)).toBe(true);
  expect(isSevereRange(150, 121)).toBe(true);
});

it('refuses values that are not readings', () => {
  expect(() => accAha2017(Number.NaN, 80)).toThrow(KrisisError);
  expect(() => esc2024(120, 0)).toThrow('diastolic pressure is 0');
});
