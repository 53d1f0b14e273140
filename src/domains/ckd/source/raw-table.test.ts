import { expect, it } from 'vitest';
import { readRawTable } from './inspect-text.ts';

it('keeps line numbers through blank lines, mixed line ends and comments', () => {
  expect(readRawTable('a,b\r\n\r\n1,2\n \n3,"4"\r\n').rows).toEqual([
    { line: 3, fields: ['1', '2'] },
    { line: 5, fields: ['3', '4'] },
  ]);
  const arff = "% c\n@relation r\n@attribute a numeric\n@data\n% note, here\n1\r\n\n'2'\n";
  expect(readRawTable(arff).rows).toEqual([
    { line: 6, fields: ['1'] },
    { line: 8, fields: ['2'] },
  ]);
});

it('keeps a field too many or too few, with tabs and blanks', () => {
  expect(readRawTable('a,b\n1,,\t2 \n1\n').rows.map(({ fields }) => fields)).toEqual([
    ['1', '', '\t2 '],
    ['1'],
  ]);
});

it('reports a quotation mark that is never closed', () => {
  expect(readRawTable('a,b\n1,"2\n').problems).toMatchObject([
    { expected: expect.stringContaining('every quotation mark to be closed') },
  ]);
});

it('has no header for nothing', () => {
  expect(readRawTable('\n\n')).toEqual({ format: 'csv', header: null, rows: [], problems: [] });
});
