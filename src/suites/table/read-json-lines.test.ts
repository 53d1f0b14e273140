import { expect, it } from 'vitest';
import type { FileProblem } from '../file-problem.ts';
import { readJsonLines as openJsonLines } from './read-table.ts';

function readJsonLines(text: string) {
  const problems: FileProblem[] = [];
  const table = openJsonLines(() => [text.slice(0, 9), text.slice(9)]);
  const rows = [...table.rows((problem) => problems.push(problem))];
  return { header: table.header, rows, problems };
}

it('takes values as a CSV would write them', () => {
  const table = readJsonLines('{"a":1.50,"b":true,"c":" x "}\n\n{"a":null,"c":"y"}\n');
  expect(table).toEqual({
    header: ['a', 'b', 'c'],
    rows: [
      { line: 1, cells: ['1.5', 'true', 'x'] },
      { line: 3, cells: ['', '', 'y'] },
    ],
    problems: [],
  });
});

it('refuses a line that is not a flat object', () => {
  const { problems, rows } = readJsonLines('{"a":\n[1]\n{"a":{"b":1}}\n{"a":[1]}\n{"a":1}\n');
  expect(problems.map(({ line, column, value }) => [line, column, value])).toEqual([
    [1, null, '{"a":'],
    [2, null, '[1]'],
    [3, 'a', '{"b":1}'],
    [4, 'a', '[1]'],
  ]);
  expect(rows).toHaveLength(1);
});

it('refuses numbers that are rounded in reading, and keys that differ in blanks', () => {
  expect(readJsonLines('{"id":12345678901234567890}').problems[0]!.column).toBe('id');
  expect(readJsonLines('{"id":"12345678901234567890"}').problems).toEqual([]);
  expect(readJsonLines('{"a":1}\n{" a":2}').problems[0]!.found).toContain('differ only in blanks');
});

it('has no columns that an object merely inherits', () => {
  expect(readJsonLines('{"a":1}\n{"toString":"x"}').rows[0]!.cells).toEqual(['1', '']);
});
