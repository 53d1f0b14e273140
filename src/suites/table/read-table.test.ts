import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { KrisisError } from '../../core/krisis-error.ts';
import { readTable } from './read-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-table-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

it('knows the format by the ending, in any letter case', () => {
  const expected = [{ line: 2, cells: ['1', '2'] }];
  expect(readTable(file('a.CSV', 'a,b\n1,2\n')).table.rows).toEqual(expected);
  expect(readTable(file('a.tsv', 'a\tb\n1\t2\n')).table.rows).toEqual(expected);
  expect(readTable(file('a.jsonl', '\n{"a":1,"b":2}\n')).table.rows).toEqual(expected);
});

it('says why a file cannot be read', () => {
  expect(() => readTable(join(folder, 'none.csv'))).toThrow('there is no such file');
  expect(() => readTable(folder)).toThrow(KrisisError);
  expect(() => readTable(file('a.xlsx', ''))).toThrow('give the path of a .csv, .tsv or .jsonl file');
  const latin1 = file('latin1.csv', Buffer.from('name\nhypokaliämie\n', 'latin1'));
  expect(() => readTable(latin1, 'latin1.csv')).toThrow('cannot read "latin1.csv": it is not UTF-8 text');
});
