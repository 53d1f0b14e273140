import { expect, it } from 'vitest';
import type { Delimiter } from '../../core/delimited/rows.ts';
import type { FileProblem } from '../file-problem.ts';
import { readDelimited as openDelimited } from './read-table.ts';

function readDelimited(text: string, delimiter: Delimiter) {
  const problems: FileProblem[] = [];
  const table = openDelimited(() => [text.slice(0, 9), text.slice(9)], delimiter);
  const rows = [...table.rows((problem) => problems.push(problem))];
  return { header: table.header, rows, problems };
}

const found = (text: string, delimiter: ',' | '\t' = ',') =>
  readDelimited(text, delimiter).problems.map((problem) => [problem.line, problem.found]);

it('reads quotes and blanks', () => {
  const table = readDelimited(' age , note\n61,"a, ""b"""\n\n 50 , c\n', ',');
  expect(table.header).toEqual(['age', 'note']);
  expect(table.rows).toEqual([
    { line: 2, cells: ['61', 'a, "b"'] },
    { line: 4, cells: ['50', 'c'] },
  ]);
});

it('counts lines where a cell runs over several', () => {
  const { rows } = readDelimited('a,b\n1,"x\ny\nz"\n2,"x\ny"\n3,w\n', ',');
  expect(rows.map(({ line }) => line)).toEqual([2, 5, 7]);
});

it('reads tabs', () => {
  expect(readDelimited('a\tb\n1,5\t2\n', '\t').rows[0]!.cells).toEqual(['1,5', '2']);
});

it('passes over lines of separators and columns with neither name nor cell', () => {
  const table = readDelimited('a,b,,\n1,2,,\n,,,\n', ',');
  expect(table).toEqual({ header: ['a', 'b'], rows: [{ line: 2, cells: ['1', '2'] }], problems: [] });
});

it('refuses ragged rows, each with its line', () => {
  expect(found('a,b\n1,2,3\n1,2\n1\n')).toEqual([
    [2, '3 fields'],
    [4, '1 field'],
  ]);
});

it('refuses columns that are twice there or have no name', () => {
  expect(found('a,b,a \n1,2,3\n')).toEqual([[1, 'a second column of this name']]);
  expect(found(',a\n0,1\n')).toEqual([[1, 'field 1 has no name']]);
});

it('says when the separator is another', () => {
  expect(found('a;b\n1;2\n')).toEqual([[1, 'fields separated by semicolons']]);
  expect(found('a\tb\n1\t2\n')).toEqual([[1, 'fields separated by tabs']]);
  expect(found('a,b\n1,2\n', '\t')).toEqual([[1, 'fields separated by commas']]);
});

it('says when a quotation mark is never closed', () => {
  const [problem] = readDelimited('a,b\n1,"x\n', ',').problems;
  expect([problem!.line, problem!.found]).toEqual([2, expect.stringContaining('never closed')]);
});

it('gives an empty table for an empty file', () => {
  expect(readDelimited(' \n,,\n', ',')).toEqual({ header: [], rows: [], problems: [] });
});

it('compares the names of 200,000 columns in no time', () => {
  const names = Array.from({ length: 200_000 }, (_, i) => `c${i}`);
  expect(found(`${names.join(',')},c7\n`)).toEqual([[1, 'a second column of this name']]);
});
