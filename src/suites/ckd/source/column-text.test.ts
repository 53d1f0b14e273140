import { expect, it } from 'vitest';
import { quoted } from '../../../core/quoted.ts';
import { problemText } from '../../file-problem.ts';
import { columnText } from './column-text.ts';

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
