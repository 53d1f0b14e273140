import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { KrisisError, quoted } from '../../core/index.ts';
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
  if (reader === undefined) {
    throw new KrisisError(
      `cannot read ${quoted(shown)}: its ending says no format that is known; ${EXPECTED}`,
      {
        value: path,
      },
    );
  }
  const bytes = readBytes(path, shown);
  try {
    return { table: reader(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), bytes };
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new KrisisError(`cannot read ${quoted(shown)}: it is not UTF-8 text; save it again as UTF-8`, {
      value: path,
      cause,
    });
  }
}

function readBytes(path: string, shown: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reasons: Record<string, string> = { ENOENT: 'there is no such file', EISDIR: 'it is a folder' };
    throw new KrisisError(`cannot read ${quoted(shown)}: ${reasons[code ?? ''] ?? code}; ${EXPECTED}`, {
      value: path,
      cause,
    });
  }
}
