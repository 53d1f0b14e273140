import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { KrisisError, quoted } from '../../core/index.ts';
import { unreadable, utf8Text } from '../file-problem.ts';
import { readDelimited } from './read-delimited.ts';
import { readJsonLines } from './read-json-lines.ts';
import type { Table } from './table.ts';

const READERS: Readonly<Record<string, (text: string) => Table>> = {
  '.csv': (text) => readDelimited(text, ','),
  '.tsv': (text) => readDelimited(text, '\t'),
  '.tab': (text) => readDelimited(text, '\t'),
  '.jsonl': readJsonLines,
  '.ndjson': readJsonLines,
};
const EXPECTED = 'give the path of a .csv, .tsv or .jsonl file';

/** The cells of a file, and its bytes. `shown` is what an error calls the file. */
export function readTable(path: string, shown = path): { table: Table; bytes: Uint8Array } {
  const reader = READERS[extname(path).toLowerCase()];
  if (reader === undefined)
    throw new KrisisError(`cannot read ${quoted(shown)}: its extension is not a known format; ${EXPECTED}`, {
      code: 'ERR_FILE_UNREADABLE',
      value: path,
    });
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw unreadable(path, shown, cause, EXPECTED);
  }
  return { table: reader(utf8Text(bytes, path, shown)), bytes };
}
