import { expect, it } from 'vitest';
import { missingMarkers, numerals, readYesNo } from './cell.ts';

const { read: readNumber, isPlain: isPlainNumber } = numerals('.');

it('takes an empty cell as not measured whatever the markers are', () => {
  expect(['', 'NA', '?'].map(missingMarkers([]))).toEqual([true, false, false]);
  expect(['', 'NA', '?'].map(missingMarkers(['?']))).toEqual([true, false, true]);
});

it('minds the letter case of markers, and not how a number is written', () => {
  expect(['NA', 'Na', 'na'].map(missingMarkers(['NA']))).toEqual([true, false, false]);
  expect(['-999', '-999.00', '-9.99e2', '-99'].map(missingMarkers(['-999']))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

it('reads numbers and nothing that only begins like one', () => {
  expect(['.5', '5.', '+2', '1e-3', '0x10', '1_000', 'Infinity', '<5', ''].map(readNumber)).toEqual([
    0.5,
    5,
    2,
    0.001,
    ...Array(5).fill(null),
  ]);
});

it('leaves codes alone', () => {
  expect(['0', '0.5', '00', '-01', '9007199254740993'].map(isPlainNumber)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

it('reads yes and no in any letter case', () => {
  expect(['TRUE', 'yes', '1', 'False', 'NO', '0'].map(readYesNo)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(['y', '2', ''].map(readYesNo)).toEqual([undefined, undefined, undefined]);
});
