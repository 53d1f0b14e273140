import type { EvaluationResult, RowState } from '../core/index.ts';
import type { Statements } from './statements.ts';
import { jsonCell, numberCell } from './stored-cells.ts';
import {
  JOIN_CALLS,
  REPLY_COLUMNS,
  RESULT_COLUMNS,
  replyText,
  type SqlReply,
  type SqlResult,
  type SqlRow,
  STORED_ROW_COLUMNS,
  type StoredRow,
  toResult,
  toStoredRow,
} from './stored-row.ts';

/** A row as far as scores go, and how it was asked. */
export interface ScoredRow {
  readonly result: EvaluationResult;
  readonly promptMode: SqlResult['promptMode'];
  /** The probability of the answer by its tokens; null where it was not asked for or not given. */
  readonly tokenConfidence: number | null;
  readonly repeat: number;
}

/** A prompt with the slot for patient data still marked, and how many rows used it. */
export interface StoredTemplate {
  readonly id: number;
  readonly mode: string;
  readonly prompt: unknown;
  readonly n: number;
}

/** Rows in record order, each with its truth; `calls` are the planned calls by record. */
export function* storedRows(
  sql: Statements,
  calls: ReadonlyMap<string, string>,
  { all = false, nRepeats = 1 }: { readonly all?: boolean; readonly nRepeats?: number },
): Generator<StoredRow> {
  for (let repeat = 0; repeat < Math.max(1, nRepeats); repeat++)
    for (const found of joined(sql, STORED_ROW_COLUMNS, repeat, all, JOIN_CALLS)) {
      const row = found as unknown as SqlRow;
      yield sql.reading(() => toStoredRow(row, repeat, calls.get(row.id)));
    }
}

/** The same as far as scores go, `not_run` ones too. */
export function* scoredRows(
  sql: Statements,
  calls: ReadonlyMap<string, string>,
  nRepeats: number,
): Generator<ScoredRow> {
  for (let repeat = 0; repeat < nRepeats; repeat++)
    for (const found of joined(sql, RESULT_COLUMNS, repeat, true)) {
      const row = found as unknown as SqlResult;
      yield {
        result: sql.reading(() => toResult(row, calls.get(row.id))),
        promptMode: row.promptMode,
        tokenConfidence: sql.reading(() => numberCell(row.tokenConfidence, 'a confidence')),
        repeat,
      };
    }
}

function joined(sql: Statements, columns: string, repeat: number, all: boolean, join = '') {
  return sql.iterate(
    `SELECT ${columns} FROM records r ${all ? 'LEFT' : ''} JOIN latest_rows w ON w.record_id = r.id AND w.repeat = ? ${join} WHERE r.selected = 1 ORDER BY r.position`,
    repeat,
  );
}

/** The text that a record was answered with, and how it ended; null before. */
export function storedAnswer(
  sql: Statements,
  recordId: string,
  repeat: number,
): { state: RowState; answer: string | null } | null {
  const query = `SELECT w.state, ${REPLY_COLUMNS} FROM latest_rows w ${JOIN_CALLS} WHERE w.record_id = ? AND w.repeat = ?`;
  const found = sql.get(query, recordId, repeat) as unknown as (SqlReply & { state: RowState }) | undefined;
  return found === undefined ? null : { state: found.state, answer: replyText(found) };
}

export function storedTemplates(sql: Statements): StoredTemplate[] {
  const found = sql.all(
    'SELECT t.id, t.mode, t.prompt, count(w.record_id) AS n FROM templates t LEFT JOIN latest_rows w ON w.template = t.id GROUP BY t.id ORDER BY t.id',
  ) as { id: number; mode: string; prompt: string; n: number }[];
  return found.map(({ prompt, ...rest }) => ({
    ...rest,
    prompt: sql.reading(() => jsonCell(prompt, 'a prompt')),
  }));
}

/** How many rows ended in each state. */
export function countStates(sql: Statements): Map<string, number> {
  const counted = sql.all(
    'SELECT state, count(*) AS n FROM (SELECT state FROM latest_rows LIMIT ?) GROUP BY state',
    sql.mostRows(),
  );
  return new Map(counted.map(({ state, n }) => [state as string, Number(n)]));
}

/** How many rows came from a reply that had to be mended. */
export function countRepaired(sql: Statements): number {
  return Number(sql.get('SELECT count(*) AS n FROM latest_rows WHERE repaired = 1')!.n);
}

/** The hash of the text that a record was answered with, where the run has one. */
export function answerHash(sql: Statements, recordId: string, repeat: number): string | null {
  const query = 'SELECT reply_hash AS hash FROM latest_rows WHERE record_id = ? AND repeat = ?';
  const hash = sql.get(query, recordId, repeat)?.hash;
  return typeof hash === 'string' ? hash : null;
}
