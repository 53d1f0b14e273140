import { expect, it } from 'vitest';
import { quoted } from '../../../core/plain-text.ts';
import { problemText } from '../../../suites/file-problem.ts';
import { allowedText, columnText, UCI_EXTRAS, UCI_FEATURES, uciColumn } from './columns.ts';
import { isPossible } from './row.ts';

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

it('names line, column, value and what was expected', () => {
  expect(problemText({ line: 7, column: 'sc', value: 'abc', expected: 'a number' }, columnText)).toBe(
    'line 7, column sc (serum creatinine): "abc"; expected a number',
  );
  expect(problemText({ line: 7, column: 'age', value: null, expected: 'a number' }, columnText)).toBe(
    'line 7, column age: nothing there; expected a number',
  );
  expect(problemText({ line: 1, column: 'bm\u001b[2Ji', value: 'x', expected: 'y' }, columnText)).toBe(
    'line 1, column "bm\\u001b[2Ji": "x"; expected y',
  );
});

it('prints file content harmlessly', () => {
  expect(quoted('a\u001b[31m\u009bb\u202e')).toBe('"a\\u001b[31m\\u009bb\\u202e"');
  expect(quoted('x'.repeat(500)).length).toBeLessThan(70);
});
