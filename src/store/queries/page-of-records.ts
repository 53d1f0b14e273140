import type { RunDatabase } from '../open-database.ts';
import { readScored, SCORED_COLUMNS } from '../rows.ts';
import { type RecordLine, recordLine, type ShownOptions } from './record-line.ts';

const JOIN = 'LEFT JOIN latest_rows w ON w.record_id = r.id AND w.repeat = ?';

/** Rows in file order, read without an index: the first page of a long run appears before an index of all rows could be built. */
export function pageOfRecords(
  run: RunDatabase,
  {
    nRecords,
    repeats,
    offset,
    limit,
    ...shown
  }: ShownOptions & Readonly<Record<'nRecords' | 'repeats' | 'offset' | 'limit', number>>,
): RecordLine[] {
  const query = run.prepare(
    `SELECT ${SCORED_COLUMNS} FROM (SELECT position, id, label, metadata FROM records ORDER BY position LIMIT ? OFFSET ?) r ${JOIN} ORDER BY r.position`,
  );
  const lines: RecordLine[] = [];
  // The list has all records once per repeat.
  for (let repeat = Math.floor(offset / nRecords); repeat < repeats && lines.length < limit; repeat++) {
    const from = Math.max(0, offset - repeat * nRecords);
    for (const row of query.all(limit - lines.length, from, repeat))
      lines.push(recordLine(readScored(row, repeat), shown));
  }
  return lines;
}

/** Rows by the ids of their records, in this order; those that the run does not have are left out. */
export function recordsAt(
  run: RunDatabase,
  places: readonly Pick<RecordLine, 'id' | 'repeat'>[],
  shown: ShownOptions,
): RecordLine[] {
  const query = run.prepare(`SELECT ${SCORED_COLUMNS} FROM records r ${JOIN} WHERE r.id = ?`);
  return places.flatMap(({ id, repeat }) => {
    const row = query.get(repeat, id);
    return row === undefined ? [] : [recordLine(readScored(row, repeat), shown)];
  });
}
