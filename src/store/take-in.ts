import { roundsIn } from './asking-rounds.ts';
import { type Cell, type Cells, COVERED, type EntryKind } from './chain.ts';
import type { RunEvent } from './run-event.ts';
import type { Statements } from './statements.ts';

/** A run file that is taken in. */
interface Part {
  readonly sql: Statements;
  readonly events: readonly RunEvent[];
}

/** The run file that is written. */
interface Target {
  /** Inserts a row and enters it into the chain; returns its id, or null where it was there before. */
  insert(kind: EntryKind, key: readonly (string | number)[], cells: Cells): number | null;
  endCall(id: number, cells: Cells): void;
  template(mode: string, prompt: string): number;
}

/** A text is taken in with its salt, so that its hash stays the same. */
const OUTCOME = [...COVERED.outcome.columns, COVERED.outcome.text.column, COVERED.outcome.text.salt];

/** Enters the records, calls, rows and judgements of several run files, as they are. Calls get new numbers; those of one round of asking failed rows again stay together. */
export function takeInParts(parts: readonly Part[], target: Target): void {
  const templates = parts.map(({ sql }) => templatesOf(sql, target));
  const callIds = parts.map(() => new Map<number, number>());
  const rounds = parts.map(({ events }) => roundsIn(events));
  const lastRound = Math.max(0, ...rounds.flat().map(({ round }) => round));
  for (const { sql } of parts)
    for (const record of cellsOf(sql, 'SELECT * FROM records ORDER BY position'))
      target.insert('record', [Number(record.position)], record);
  let lastCall = 0;
  for (let round = 0; round <= lastRound; round++) {
    if (round > 0)
      target.insert('event', [], {
        time: Date.now() / 1000,
        kind: 'asked_again',
        data: JSON.stringify({ round, last_call: lastCall }),
      });
    parts.forEach(({ sql }, i) => {
      const after = rounds[i]!.find((begun) => begun.round === round)?.lastCall ?? (round === 0 ? 0 : null);
      if (after === null) return;
      const until =
        rounds[i]!.find((begun) => begun.round === round + 1)?.lastCall ?? Number.MAX_SAFE_INTEGER;
      for (const call of cellsOf(
        sql,
        'SELECT * FROM calls WHERE id > ? AND id <= ? ORDER BY id',
        after,
        until,
      )) {
        const id = target.insert('intent', [], pick(call, COVERED.intent.columns))!;
        if (call.outcome !== null) target.endCall(id, pick(call, OUTCOME));
        callIds[i]!.set(Number(call.id), id);
        lastCall = id;
      }
    });
  }
  parts.forEach(({ sql }, i) => {
    for (const row of cellsOf(sql, 'SELECT * FROM rows ORDER BY record_id, repeat, attempt'))
      target.insert('row', [row.record_id!, Number(row.repeat), Number(row.attempt)] as (string | number)[], {
        ...row,
        call: row.call === null ? null : (callIds[i]!.get(Number(row.call)) ?? null),
        template: row.template === null ? null : (templates[i]!.get(Number(row.template)) ?? null),
      });
    for (const verdict of cellsOf(sql, 'SELECT * FROM judgements ORDER BY rowid'))
      target.insert(
        'verdict',
        COVERED.verdict.key.map((column) => verdict[column] as string | number),
        verdict,
      );
  });
}

function templatesOf(sql: Statements, target: Target): Map<number, number> {
  return new Map(
    sql
      .all('SELECT id, mode, prompt FROM templates ORDER BY id')
      .map(({ id, mode, prompt }) => [Number(id), target.template(String(mode), String(prompt))]),
  );
}

function* cellsOf(sql: Statements, query: string, ...values: number[]): Generator<Record<string, Cell>> {
  for (const row of sql.iterate(query, ...values)) yield row as Record<string, Cell>;
}

function pick(cells: Cells, columns: readonly string[]): Record<string, Cell> {
  return Object.fromEntries(columns.map((column) => [column, cells[column]!]));
}
