import { expect, it } from 'vitest';
import { isPossible } from './cell.ts';
import { allowedText, UCI_EXTRAS, UCI_FEATURES, uciColumn } from './columns.ts';

it('has the 24 features of the published file, 11 of them numeric, each named once', () => {
  expect(UCI_FEATURES).toHaveLength(24);
  expect(new Set([...UCI_FEATURES, ...UCI_EXTRAS].map(({ name }) => name)).size).toBe(26);
  expect(UCI_FEATURES.filter(({ kind }) => kind === 'numeric')).toHaveLength(11);
});

it('leaves room for the sickest, not for a lost decimal point', () => {
  expect(isPossible(32, uciColumn('sc'))).toBe(true);
  expect(isPossible(391, uciColumn('bu'))).toBe(true);
  expect(isPossible(9.5, uciColumn('pot'))).toBe(true);
  expect(isPossible(39, uciColumn('pot'))).toBe(false);
  expect(isPossible(4.5, uciColumn('sod'))).toBe(false);
});

it('says what a column may hold', () => {
  expect(allowedText(uciColumn('appet'))).toBe('one of good, poor');
  expect(allowedText(uciColumn('al'))).toBe('one of 0, 1, 2, 3, 4, 5');
  expect(allowedText(uciColumn('sc'))).toBe('a number from 0.1 to 60 (mg/dL)');
});
