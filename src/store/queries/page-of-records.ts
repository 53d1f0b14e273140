import { RESULT_COLUMNS, type SqlResult, toResult } from '../stored-row.ts';
import type { RunDatabase } from './query-run.ts';
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
    `SELECT ${RESULT_COLUMNS} FROM (SELECT position, id, label, metadata FROM records WHERE selected = 1 ORDER BY position LIMIT ? OFFSET ?) r ${JOIN} ORDER BY r.position`,
  );
  const lines: RecordLine[] = [];
  // The list has all records once per repeat.
  for (let repeat = Math.floor(offset / nRecords); repeat < repeats && lines.length < limit; repeat++) {
    const from = Math.max(0, offset - repeat * nRecords);
    const found = query.all(limit - lines.length, from, repeat) as unknown as SqlResult[];
    for (const row of found) lines.push(lineOf(row, repeat, page));
  }
  return lines;
}

/** Rows by the ids of their records, in this order; those that the run does not have are left out. */
export function recordsAt(
  run: RunDatabase,
  places: readonly Pick<RecordLine, 'id' | 'repeat'>[],
  shown: Shown,
): RecordLine[] {
  const query = run.prepare(
    `SELECT ${RESULT_COLUMNS} FROM records r ${JOIN} WHERE r.id = ? AND r.selected = 1`,
  );
  return places.flatMap(({ id, repeat }) => {
    const found = query.get(repeat, id) as unknown as SqlResult | undefined;
    return found === undefined ? [] : [lineOf(found, repeat, shown)];
  });
}

function lineOf(row: SqlResult, repeat: number, { subgroups, ...options }: Shown): RecordLine {
  const result = toResult(row);
  return recordLine({ ...result, repeat }, options, groupsAmong(result.metadata, subgroups));
}
