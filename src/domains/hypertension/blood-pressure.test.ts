import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../core/errors.ts';
import { accAha2017, bpCategory, esc2024, isHigh, isSevere } from './blood-pressure.ts';

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
  expect(isSevere([180, 120], 'acc_aha_2025')).toBe(false);
  expect(isSevere([181, 80], 'acc_aha_2025')).toBe(true);
  expect(isSevere([150, 121], 'acc_aha_2025')).toBe(true);
  expect(isSevere([150, 110], 'esc_2024')).toBe(true);
  expect(isSevere([160, 80], 'esc_2024', true)).toBe(true);
});

it('refuses values that are not readings', () => {
  expect(() => accAha2017(Number.NaN, 80)).toThrow(KrisisError);
  expect(() => esc2024(120, 0)).toThrow('diastolic pressure is 0');
});

it('takes the category and the line of hypertension from the guideline that is named', () => {
  expect(bpCategory([134, 78], 'acc_aha_2025')).toBe('stage_1');
  expect(bpCategory([134, 78], 'esc_2024')).toBe('elevated');
  expect(isHigh([134, 78], 'acc_aha_2025', 'office')).toBe(true);
  expect(isHigh([134, 78], 'esc_2024', 'office')).toBe(false);
  expect(isHigh([118, 65], 'acc_aha_2025', 'ambulatory_night')).toBe(true);
});
