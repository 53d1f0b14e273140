import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { KrisisError } from '../../core/errors.ts';
import { openTable } from './read-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-table-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const rows = (...opened: Parameters<typeof openTable>) => [...openTable(...opened).table.rows()];

it('knows the format by the ending, in any letter case', () => {
  const expected = [{ line: 2, cells: ['1', '2'] }];
  expect(rows(file('a.CSV', 'a,b\n1,2\n'))).toEqual(expected);
  expect(rows(file('a.tsv', 'a\tb\n1\t2\n'))).toEqual(expected);
  expect(rows(file('a.jsonl', '\n{"a":1,"b":2}\n'))).toEqual(expected);
});

it('reads a byte order mark, mixed line ends, quotes and blanks', () => {
  const path = file('mixed.csv', '\uFEFF age , note\r\n61,"a, ""b"""\n\n 50 , c\r51,"d\r\ne"\n');
  expect(openTable(path).table.header).toEqual(['age', 'note']);
  expect(rows(path)).toEqual([
    { line: 2, cells: ['61', 'a, "b"'] },
    { line: 4, cells: ['50', 'c'] },
    { line: 5, cells: ['51', 'd\ne'] },
  ]);
});

const TEXT = 'Größe;Temp\n170;38,5\n';
it.each<[string, Uint8Array, string]>([
  ['UTF-8', Buffer.from(TEXT), 'utf-8'],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`), 'utf-8'],
  ['UTF-16 LE', Buffer.from(`\uFEFF${TEXT}`, 'utf16le'), 'utf-16le'],
  ['UTF-16 BE', Buffer.from(`\uFEFF${TEXT}`, 'utf16le').swap16(), 'utf-16be'],
  ['UTF-16 LE without a mark', Buffer.from(TEXT, 'utf16le'), 'utf-16le'],
  ['Windows-1252', Buffer.from(TEXT, 'latin1'), 'windows-1252'],
])('detects %s, and semicolons in a .csv file', (_, bytes, encoding) => {
  const open = openTable(file('detect.csv', bytes));
  expect(open.table.header).toEqual(['Größe', 'Temp']);
  expect([...open.table.rows()]).toEqual([{ line: 2, cells: ['170', '38,5'] }]);
  expect([open.delimiter, open.encoding()]).toEqual([';', encoding]);
  expect(open.sha256()).toBe(createHash('sha256').update(bytes).digest('hex'));
});

it('does as stated', () => {
  const path = file('stated.csv', Buffer.from('a|b;c\n1|\x80;2\n', 'latin1'));
  const open = openTable(path, path, { delimiter: ';', encoding: 'windows-1252' });
  expect([...open.table.rows()]).toEqual([{ line: 2, cells: ['1|€', '2'] }]);
  expect(() => rows(path, 'stated.csv', { encoding: 'utf-8' })).toThrow('"stated.csv": is not UTF-8 text');
});

it('refuses a file that changes between two readings', () => {
  const path = file('changing.csv', 'a,b\n1,2\n');
  const { table } = openTable(path);
  expect([...table.rows()]).toHaveLength(1);
  writeFileSync(path, 'a,b\n1,2\n3,4\n');
  expect(() => [...table.rows()]).toThrow('it has changed since it was first read');
});

it('says why a file cannot be read', () => {
  expect(() => openTable(join(folder, 'none.csv'))).toThrow('there is no such file');
  expect(() => openTable(folder)).toThrow(KrisisError);
  mkdirSync(join(folder, 'folder.csv'));
  expect(() => openTable(join(folder, 'folder.csv'))).toThrow('it is a folder');
  expect(() => openTable(file('a.docx', ''))).toThrow(
    'give the path of a .csv, .tsv, .xlsx, .jsonl, .json or .parquet file',
  );
  expect(() => openTable(file('a.xlsx', ''))).toThrow('cannot be read as a spreadsheet');
  const database = file('run.csv', 'SQLite format 3\0\x10\0\x01\x01\0');
  expect(() => openTable(database)).toThrow('it is a run file or another database, not a table');
  expect(() => openTable(file('binary.csv', 'PK\x03\x04\0\0'))).toThrow('it is not text');
});

it.each(['csv', 'jsonl'])('refuses a table of more than 10,000 columns in one message: .%s', (ending) => {
  const wide = (n: number) => {
    const names = Array.from({ length: n }, (_, i) => `c${i}`);
    const cells = names.map(() => '1');
    return ending === 'csv'
      ? `${names.join(',')}\n${cells.join(',')}\n`
      : JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])));
  };
  expect(openTable(file(`wide.${ending}`, wide(10_000))).table.header).toHaveLength(10_000);
  expect(() => openTable(file(`wider.${ending}`, wide(10_001)), 'wider')).toThrow(
    'cannot read "wider": it has more than 10,000 columns; leave out those that are not needed',
  );
});
