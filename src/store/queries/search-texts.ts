import type { RunDatabase } from '../open-database.ts';
import { JOIN_REPLIES, readReply, replyColumns } from '../rows.ts';
import { objectCell } from '../stored-cells.ts';
import { folded, type SearchedText } from './record-filter.ts';

/** The rows with a text in their reply, their features or their metadata, ignoring case; `repeat` is undefined for all repeats of a record. Reads these texts of all rows. */
export function* rowsWithText(
  run: RunDatabase,
  text: string,
  within: readonly SearchedText[],
): Generator<{ readonly id: string; readonly repeat: number | undefined }> {
  const wanted = folded(text);
  const columns = (['features', 'metadata'] as const).filter((column) => within.includes(column));
  if (columns.length > 0)
    for (const { id, ...cells } of run.prepare(`SELECT id, ${columns.join(', ')} FROM records`).iterate())
      if (Object.entries(cells).some(([name, cell]) => hasText(cell, name, wanted)))
        yield { id: String(id), repeat: undefined };
  if (within.includes('reply'))
    for (const row of run
      .prepare(
        `SELECT w.record_id AS id, w.repeat, ${replyColumns()} FROM latest_rows w ${JOIN_REPLIES} WHERE w.raw_response IS NOT NULL OR c.raw_response IS NOT NULL`,
      )
      .iterate())
      if (folded(readReply(row) ?? '').includes(wanted))
        yield { id: String(row.id), repeat: Number(row.repeat) };
}

function hasText(cell: unknown, name: string, wanted: string): boolean {
  if (cell === null) return false;
  return textsIn(objectCell(cell, name)).some((found) => folded(found).includes(wanted));
}

/** Keys and values, however deep. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(Array.isArray(value) ? [] : [key]),
    ...textsIn(inner),
  ]);
}

/** Which texts the file has of at least one row. */
export function searchableTexts(run: RunDatabase): SearchedText[] {
  const has = (sql: string) => run.prepare(`${sql} LIMIT 1`).get() !== undefined;
  return [
    ...(has('SELECT 1 FROM latest_rows WHERE raw_response IS NOT NULL') ||
    has('SELECT 1 FROM outcomes WHERE raw_response IS NOT NULL')
      ? (['reply'] as const)
      : []),
    ...(has('SELECT 1 FROM records WHERE features IS NOT NULL') ? (['features'] as const) : []),
    ...(has("SELECT 1 FROM records WHERE metadata <> '{}'") ? (['metadata'] as const) : []),
  ];
}

/** More keys than this are not columns of a table. */
const MAX_KEYS = 200;

/** The metadata keys of the records, in alphabetical order. */
export function metadataKeys(run: RunDatabase): string[] {
  return run
    .prepare('SELECT DISTINCT j.key FROM records r, json_each(r.metadata) j ORDER BY 1 LIMIT ?')
    .all(MAX_KEYS)
    .map(({ key }) => String(key));
}

/** Some metadata of some records, by id. */
export function readMetadata(
  run: RunDatabase,
  ids: readonly string[],
  keys: readonly string[],
): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const rows = run
    .prepare('SELECT id, metadata FROM records WHERE id IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify(ids));
  return new Map(
    rows.map(({ id, metadata }) => {
      const all = objectCell(metadata, 'metadata');
      const chosen = keys.filter((key) => Object.hasOwn(all, key)).map((key) => [key, all[key]]);
      return [String(id), Object.fromEntries(chosen)];
    }),
  );
}
