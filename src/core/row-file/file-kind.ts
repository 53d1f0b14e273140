/** The forms in which a file can hold rows. */
export type RowFormat = 'json' | 'jsonl' | 'delimited' | 'parquet';

const BY_NAME: readonly (readonly [RegExp, RowFormat])[] = [
  [/\.(jsonl|ndjson)$/i, 'jsonl'],
  [/\.(csv|tsv|tab)$/i, 'delimited'],
  [/\.(parquet|pq)$/i, 'parquet'],
];

/** The first bytes of files that hold no rows, whatever their name, and what such a file is. */
const OTHER_KINDS: readonly (readonly [string, string])[] = [
  ['SQLite format 3\0', 'is a run file (or another SQLite database), not a file of answers'],
  ['\x1f\x8b', 'is compressed (gzip); unpack it first'],
  ['PK\x03\x04', 'is a spreadsheet or a ZIP archive; save its table as CSV'],
  ['%PDF', 'is a PDF document'],
];

/** How many bytes of a file show what it is. */
export const HEAD_BYTES = 16;

/**
 * What a file is by its first bytes, or else by its name; null where its text has to be looked at. `other` says what a file is that holds no rows.
 *
 * @example
 * ```ts
 * fileKind('rows.csv', 'id,y') // => { format: 'delimited', other: null }
 * fileKind('rows', 'PAR1') // => { format: 'parquet', other: null }
 * ```
 */
export function fileKind(name: string, head: string): { format: RowFormat | null; other: string | null } {
  const other = OTHER_KINDS.find(([magic]) => head.startsWith(magic))?.[1] ?? null;
  if (head.startsWith('PAR1')) return { format: 'parquet', other };
  return { format: BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? null, other };
}
