import { expect, it } from 'vitest';
import { problemsError, problemText, unreadable } from './file-problem.ts';

const cell = { line: 7, column: 'sodium', value: 'high', expected: 'a number' };

it('says line, column, value and what was expected', () => {
  expect(problemText(cell)).toBe('line 7, column "sodium": "high"; expected a number');
  expect(problemText({ ...cell, value: null })).toContain('nothing there');
  expect(problemText({ line: null, column: null, value: null, found: 'no row', expected: 'one' })).toBe(
    'the file: no row; expected one',
  );
});

it('prints file content harmlessly', () => {
  expect(problemText({ ...cell, value: '\u001b[2J' })).toContain('"\\u001b[2J"');
});

it('lists 20 problems and counts the rest', () => {
  const error = problemsError('a.csv', Array(23).fill(cell));
  const lines = error.message.split('\n');
  expect(lines[0]).toBe('"a.csv" has 23 problems:');
  expect(lines).toHaveLength(22);
  expect(lines.at(-1)).toBe('  and 3 more');
  expect(error.value).toHaveLength(23);
  expect(problemsError('a.csv', [cell]).message.split('\n')[0]).toBe('"a.csv" has a problem:');
});

it('gives its errors codes', () => {
  expect(problemsError('a.csv', [cell]).code).toBe('ERR_DATA_FILE');
  expect(unreadable('a.csv', 'a.csv', { code: 'ENOENT' }, 'give a file')).toMatchObject({
    code: 'ERR_FILE_UNREADABLE',
    message: 'cannot read "a.csv": there is no such file; give a file',
  });
});
