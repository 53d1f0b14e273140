import { basename } from 'node:path';
import { plain } from '../core/plain-text.ts';
import { type OnRow, type ReadRowsOptions, readRows } from '../core/row-file.ts';
import { counted } from '../core/wording.ts';
import type { FormatOptions } from './formats/format.ts';
import { FORMATS, type KnownFormat } from './formats/registry.ts';
import { lookAt, type Source } from './formats/source.ts';
import type { ReadAccount } from './source-rows.ts';

export type { ReadAccount } from './source-rows.ts';

/** How a file of results is read: of rows, or of another tool. */
export interface ReadResultsOptions extends ReadRowsOptions, FormatOptions {}

/** The reader of a file or folder of another tool; null where no reader knows it. */
export function recogniseFormat(
  path: string,
): { readonly format: KnownFormat; readonly source: Source } | null {
  const source = path === '-' ? null : lookAt(path);
  const format = source && FORMATS.find((known) => known.recognise(source));
  return format ? { format, source } : null;
}

/**
 * Reads the rows of a file: of our own row files, or of another tool, which is recognised by the shape of its file. What was recognised and how it was read is returned; null for row files.
 *
 * @throws KrisisError with the code `ERR_ROW_FILE` for a file that cannot be read.
 */
export async function readResults(
  path: string,
  onRow: OnRow,
  options: ReadResultsOptions = {},
): Promise<ReadAccount | null> {
  const found = recogniseFormat(path);
  if (found === null) {
    await readRows(path, onRow, options);
    return null;
  }
  const [format, { SourceRows }] = await Promise.all([found.format.load(), import('./source-rows.ts')]);
  const rows = new SourceRows(path, options);
  const account = await format.read(found.source, options, (row) => rows.add(row));
  const read = rows.finish(account, basename(path).replace(/\.\w+$/, ''));
  for (const { name, rows: own } of read.runs) {
    const answers = new Map<string | null, number>();
    for (const row of own) {
      const repeat = answers.get(row.id) ?? 0;
      answers.set(row.id, repeat + 1);
      onRow(row, { model: name, repeat });
    }
  }
  return read.account;
}

/** What was read, as lines for a terminal: of several files of one tool what they share. */
export function accountLines(
  files: readonly { readonly path: string; readonly account: ReadAccount }[],
): string[] {
  const [{ account: first }] = files as [(typeof files)[number]];
  const inAll = (has: (account: ReadAccount) => boolean) => files.every(({ account }) => has(account));
  const what = first.what
    .split(', ')
    .filter((part) => inAll((other) => other.what.split(', ').includes(part)));
  const fields = Object.entries(first.mapped).map(([field, source]) => `${field}: ${source}`);
  const warnings = new Set(files.flatMap(({ account }) => account.warnings));
  return [
    `${pathsText(files.map(({ path }) => path))}: ${what.join(', ')}`,
    `  ${fields.join('; ')}`,
    ...first.notes.filter((note) => inAll((other) => other.notes.includes(note))).map((note) => `  ${note}`),
    ...[...warnings].map((warning) => `! ${warning}`),
  ].map(plain);
}

/** `a.csv and 3 more files` */
export function pathsText([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${counted(others.length, 'more file')}`;
}
