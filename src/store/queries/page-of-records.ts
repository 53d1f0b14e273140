import type { RunDatabase } from '../open-database.ts';
import { readScored, SCORED_COLUMNS } from '../rows.ts';
import { type RecordLine, type RuledOptions, recordLine } from './record-line.ts';
import { groupsAmong } from './subgroup-values.ts';

const JOIN = 'LEFT JOIN latest_rows w ON w.record_id = r.id AND w.repeat = ?';

interface Shown extends RuledOptions {
  /** The keys that rows can be grouped by. */
  readonly subgroups: Readonly<Record<string, unknown>>;
}

interface Page extends Shown {
  readonly nRecords: number;
  readonly repeats: number;
  readonly offset: number;
  readonly limit: number;
}

/** Rows in file order, read without an index: the first page of a long run appears before an index of all rows could be built. */
export function pageOfRecords(run: RunDatabase, page: Page): RecordLine[] {
  const { nRecords, repeats, offset, limit } = page;
  const query = run.prepare(
    `SELECT ${SCORED_COLUMNS} FROM (SELECT position, id, label, metadata FROM records ORDER BY position LIMIT ? OFFSET ?) r ${JOIN} ORDER BY r.position`,
  );
  const lines: RecordLine[] = [];
  // The list has all records once per repeat.
  for (let repeat = Math.floor(offset / nRecords); repeat < repeats && lines.length < limit; repeat++) {
    const from = Math.max(0, offset - repeat * nRecords);
    for (const row of query.all(limit - lines.length, from, repeat)) lines.push(toLine(row, repeat, page));
  }
  return lines;
}

/** Rows by the ids of their records, in this order; those that the run does not have are left out. */
export function recordsAt(
  run: RunDatabase,
  places: readonly Pick<RecordLine, 'id' | 'repeat'>[],
  shown: Shown,
): RecordLine[] {
  const query = run.prepare(`SELECT ${SCORED_COLUMNS} FROM records r ${JOIN} WHERE r.id = ?`);
  return places.flatMap(({ id, repeat }) => {
    const row = query.get(repeat, id);
    return row === undefined ? [] : [toLine(row, repeat, shown)];
  });
}

function toLine(
  row: Readonly<Record<string, unknown>>,
  repeat: number,
  { subgroups, ...options }: Shown,
): RecordLine {
  const scored = readScored(row, repeat);
  return recordLine(scored, options, groupsAmong(scored.metadata, subgroups));
}
