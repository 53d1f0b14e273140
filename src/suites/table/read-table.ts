import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { extname } from 'node:path';
import {
  type Delimiter,
  detectDelimiter,
  type FileEncoding,
  fileChunks,
  fileDecoder,
  HEAD_CHARACTERS,
} from '../../core/delimited/index.ts';
import { KrisisError, quoted } from '../../core/index.ts';
import { unreadable } from '../file-problem.ts';
import { readDelimited } from './read-delimited.ts';
import { readJsonLines } from './read-json-lines.ts';
import { MAX_COLUMNS, type Table } from './table.ts';

/** What fields are usually separated by in files of this extension; null where they are not separated. */
const EXTENSIONS: Readonly<Record<string, Delimiter | null>> = {
  '.csv': ',',
  '.tsv': '\t',
  '.tab': '\t',
  '.txt': '\t',
  '.jsonl': null,
  '.ndjson': null,
};
const EXPECTED = 'give the path of a .csv, .tsv or .jsonl file';

/** A table in a file. */
export interface OpenTable {
  readonly table: Table;
  /** What separates its fields; null for JSONL. */
  readonly delimiter: Delimiter | null;
  /** How its characters are written; known when all rows were read once. */
  readonly encoding: () => FileEncoding;
  /** SHA-256 of the file; known when all rows were read once. */
  readonly sha256: () => string;
}

/**
 * Opens a table: its delimiter and encoding are detected unless stated. `shown` is what an error calls the file.
 *
 * @throws KrisisError where the file cannot be read, and later where it changes between two readings.
 */
export function openTable(
  path: string,
  shown = path,
  stated: {
    readonly delimiter?: Delimiter | undefined;
    readonly encoding?: FileEncoding | undefined;
  } = {},
): OpenTable {
  const usual = EXTENSIONS[extname(path).toLowerCase()];
  if (usual === undefined)
    throw new KrisisError(`cannot read ${quoted(shown)}: its extension is not a known format; ${EXPECTED}`, {
      code: 'ERR_FILE_UNREADABLE',
      value: path,
    });
  let { encoding } = stated;
  let sha256: string | undefined;
  let version: string | undefined;
  const texts = function* () {
    const found = reading(() => versionOf(path));
    version ??= found;
    if (version !== found)
      throw new KrisisError(`cannot read ${quoted(shown)}: it has changed since it was first read`, {
        code: 'ERR_FILE_UNREADABLE',
        value: path,
      });
    const hash = createHash('sha256');
    const decoder = fileDecoder(quoted(shown), encoding);
    const chunks = fileChunks(path);
    try {
      for (let i = 0; ; i++) {
        const { value: chunk, done } = reading(() => chunks.next());
        if (done) break;
        if (i === 0) refuseOtherThanText(chunk, encoding ?? null, shown);
        if (sha256 === undefined) hash.update(chunk);
        yield decoder.write(chunk);
      }
      yield decoder.end();
    } finally {
      chunks.return(undefined);
    }
    // Later readings need not find out, and cannot find anything else.
    encoding ??= decoder.encoding;
    sha256 ??= hash.digest('hex');
  };
  const delimiter =
    usual === null ? null : (stated.delimiter ?? detectDelimiter(headOf(texts()), quoted(shown), usual));
  const table = delimiter === null ? readJsonLines(texts) : readDelimited(texts, delimiter);
  if (table.header.length > MAX_COLUMNS)
    throw new KrisisError(
      `cannot read ${quoted(shown)}: it has more than ${MAX_COLUMNS.toLocaleString('en')} columns; leave out those that are not needed`,
      { code: 'ERR_FILE_UNREADABLE', value: path },
    );
  return {
    table,
    delimiter,
    encoding: () => encoding!,
    sha256: () => sha256!,
  };

  function reading<T>(read: () => T): T {
    try {
      return read();
    } catch (cause) {
      throw unreadable(path, shown, cause, EXPECTED);
    }
  }
}

/** What changes when a file is written. */
function versionOf(path: string): string {
  const { size, mtimeMs, ino } = statSync(path);
  return [size, mtimeMs, ino].join(' ');
}

function headOf(texts: Iterable<string>): string {
  let head = '';
  for (const text of texts) {
    head += text;
    if (head.length >= HEAD_CHARACTERS) break;
  }
  return head;
}

/** A text has no zero bytes, unless it is UTF-16, where every other byte of a Western language is one. */
function refuseOtherThanText(head: Uint8Array, stated: FileEncoding | null, shown: string): void {
  const zeros = head.subarray(0, 4096).filter((byte) => byte === 0).length;
  const isWide =
    stated?.startsWith('utf-16') || head[0] === 0xff || head[0] === 0xfe || head[0] === 0 || head[1] === 0;
  if (zeros === 0 || isWide) return;
  const start = Buffer.from(head.subarray(0, 16)).toString('latin1');
  const what = start.startsWith('SQLite format 3')
    ? 'it is a run file or another database, not a table'
    : 'it is not text';
  throw new KrisisError(`cannot read ${quoted(shown)}: ${what}; ${EXPECTED}`, {
    code: 'ERR_FILE_UNREADABLE',
    value: shown,
  });
}
