import { expect, it } from 'vitest';
import { decimalMarkIn, readNumber } from './decimal.ts';

it('reads numbers by their decimal mark', () => {
  expect(['1.5', '-.5', '2.', '1e3', '1,5', '1.234,5'].map((cell) => readNumber(cell))).toEqual([
    1.5,
    -0.5,
    2,
    1000,
    null,
    null,
  ]);
  expect(['1,5', '-,5', '2,', '1,5e3', '7', '1.5'].map((cell) => readNumber(cell, ','))).toEqual([
    1.5,
    -0.5,
    2,
    1500,
    7,
    null,
  ]);
});

it('reads digits in groups of three where they are expected', () => {
  expect(['1,234', '1,234,567.5', '1,23'].map((cell) => readNumber(cell, '.', true))).toEqual([
    1234,
    1_234_567.5,
    null,
  ]);
  expect(['1.234', '1.234.567,5', '1.23'].map((cell) => readNumber(cell, ',', true))).toEqual([
    1234,
    1_234_567.5,
    null,
  ]);
  expect(readNumber('1,234')).toBeNull();
});

it('says which mark a cell shows', () => {
  expect(
    ['1.234', '0,123', '1234,567', '-12,5', '1.234,5', '12,345', '1,234,567'].map(decimalMarkIn),
  ).toEqual(['.', ',', ',', ',', ',', 'either', null]);
});
