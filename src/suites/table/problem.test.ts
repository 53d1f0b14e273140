import { expect, it } from 'vitest';
import { tableError, tableProblemText } from './problem.ts';

const cell = { line: 7, column: 'sodium', value: 'high', expected: 'a number' };

it('says line, column, value and what was expected', () => {
  expect(tableProblemText(cell)).toBe('line 7, column "sodium": "high"; expected a number');
  expect(tableProblemText({ ...cell, value: null })).toContain('nothing there');
  expect(tableProblemText({ line: null, column: null, value: null, found: 'no row', expected: 'one' })).toBe(
    'the file: no row; expected one',
  );
});

it('prints file content harmlessly', () => {
  expect(tableProblemText({ ...cell, value: '\u001b[2J' })).toContain('"\\u001b[2J"');
});

it('lists 20 problems and counts the rest', () => {
  const error = tableError('a.csv', Array(23).fill(cell));
  const lines = error.message.split('\n');
  expect(lines[0]).toBe('"a.csv" has 23 problems:');
  expect(lines).toHaveLength(22);
  expect(lines.at(-1)).toBe('  and 3 more');
  expect(error.value).toHaveLength(23);
  expect(tableError('a.csv', [cell]).message.split('\n')[0]).toBe('"a.csv" has a problem:');
});
