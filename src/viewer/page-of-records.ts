import type { DatabaseSync } from 'node:sqlite';
import { evaluationResult, type RowState } from '../core/index.ts';
import type { RecordLine } from './api.ts';
import { recordLine } from './record-lines.ts';

interface SqlLine {
  readonly id: string;
  readonly label: string;
  readonly metadata: string;
  readonly state: RowState | null;
  readonly state_reason: string | null;
  readonly prediction: string;
  readonly abstained: number;
  readonly confidence: number | null;
}

const COLUMNS = 'r.id, r.label, r.metadata, w.state, w.state_reason, w.prediction, w.abstained, w.confidence';
const JOIN = 'LEFT JOIN rows w ON w.record_id = r.id AND w.repeat = ?';

/** Rows in the order of the file, straight from it: the first of a long run are there before an index of all of them could be. */
export function pageOfRecords(
  db: DatabaseSync,
  isSubgroup: (key: string) => boolean,
  { nRecords, repeats, offset, limit }: { nRecords: number; repeats: number; offset: number; limit: number },
): RecordLine[] {
  const page = db.prepare(
    `SELECT ${COLUMNS} FROM (SELECT position, id, label, metadata FROM records WHERE selected = 1 ORDER BY position LIMIT ? OFFSET ?) r ${JOIN} ORDER BY r.position`,
  );
  const lines: RecordLine[] = [];
  // The file has all records once for each repeat.
  for (let repeat = Math.floor(offset / nRecords); repeat < repeats && lines.length < limit; repeat++) {
    const from = Math.max(0, offset - repeat * nRecords);
    const found = page.all(limit - lines.length, from, repeat) as unknown as SqlLine[];
    for (const row of found) lines.push(lineOf(row, repeat, isSubgroup));
  }
  return lines;
}

/** One row by its record; null where there is none. */
export function recordAt(
  db: DatabaseSync,
  isSubgroup: (key: string) => boolean,
  { id, repeat }: { readonly id: string; readonly repeat: number },
): RecordLine | null {
  const found = db
    .prepare(`SELECT ${COLUMNS} FROM records r ${JOIN} WHERE r.id = ? AND r.selected = 1`)
    .get(repeat, id) as unknown as SqlLine | undefined;
  return found === undefined ? null : lineOf(found, repeat, isSubgroup);
}

function lineOf(row: SqlLine, repeat: number, isSubgroup: (key: string) => boolean): RecordLine {
  const asked = row.state !== null;
  const result = evaluationResult({
    id: row.id,
    groundTruth: JSON.parse(row.label),
    metadata: JSON.parse(row.metadata),
    state: row.state ?? 'not_run',
    stateReason: row.state_reason,
    prediction: asked ? JSON.parse(row.prediction) : null,
    abstained: row.abstained === 1,
    confidence: row.confidence,
  });
  return recordLine({ ...result, repeat }, isSubgroup);
}
