import { roundsIn } from './asking-rounds.ts';
import type { CallIntent } from './call.ts';
import type { Calls } from './calls.ts';
import type { EntryWriter } from './entry-writer.ts';
import type { Events } from './events.ts';
import type { Rows } from './rows.ts';
import type { Statements } from './statements.ts';
import type { Columns, Table, Values } from './table.ts';
import { CALLS, JUDGEMENTS, OUTCOMES, RECORDS, ROWS } from './tables.ts';

/** Enters the records, calls, rows and judgements of several run files, as they are. Calls get new numbers; those of one round of asking failed rows again stay together. */
export function importParts(
  parts: readonly { readonly sql: Statements; readonly events: Events }[],
  writer: EntryWriter,
  { events, calls, rows }: { readonly events: Events; readonly calls: Calls; readonly rows: Rows },
): void {
  const callIds = parts.map(() => new Map<number, number>());
  const rounds = parts.map((part) => roundsIn(part.events.read('asked_again')));
  const lastRound = Math.max(0, ...rounds.flat().map(({ round }) => round));
  for (const { sql } of parts)
    for (const [, record] of entries(sql, RECORDS, 'ORDER BY position')) writer.insert(RECORDS, record);
  let lastCall = 0;
  for (let round = 0; round <= lastRound; round++) {
    if (round > 0) events.write('asked_again', { round, last_call: lastCall });
    parts.forEach(({ sql }, i) => {
      const after = rounds[i]!.find((begun) => begun.round === round)?.lastCall ?? (round === 0 ? 0 : null);
      if (after === null) return;
      const until =
        rounds[i]!.find((begun) => begun.round === round + 1)?.lastCall ?? Number.MAX_SAFE_INTEGER;
      for (const [id, { startedAt, ...call }] of entries(
        sql,
        CALLS,
        'WHERE seq > ? AND seq <= ? ORDER BY seq',
        after,
        until,
      )) {
        lastCall = calls.write(call as CallIntent, startedAt);
        callIds[i]!.set(id, lastCall);
        const keys = Object.keys(OUTCOMES.columns) as (keyof typeof OUTCOMES.columns)[];
        const outcome = sql.get(`SELECT ${OUTCOMES.select('o', keys)} FROM outcomes o WHERE call_id = ?`, id);
        // A text is taken over with its salt, so that its hash stays the same.
        if (outcome !== undefined)
          writer.insert(OUTCOMES, { ...OUTCOMES.decode(outcome, keys), callId: lastCall });
      }
    });
  }
  parts.forEach(({ sql }, i) => {
    const templateIds = new Map(
      sql
        .all('SELECT seq, mode, prompt FROM templates ORDER BY seq')
        .map(({ seq, mode, prompt }) => [seq, rows.templateId(String(mode), String(prompt))]),
    );
    for (const [, row] of entries(sql, ROWS, 'ORDER BY record_id, repeat, attempt'))
      writer.insert(ROWS, {
        ...row,
        callId: row.callId === null ? null : (callIds[i]!.get(row.callId) ?? null),
        template: row.template === null ? null : (templateIds.get(row.template) ?? null),
      });
    for (const [, judgement] of entries(sql, JUDGEMENTS, 'ORDER BY seq'))
      writer.insert(JUDGEMENTS, judgement);
  });
}

/** The entries of a table with their numbers. */
function* entries<C extends Columns, U extends Columns>(
  sql: Statements,
  table: Table<C, U>,
  clause: string,
  ...values: number[]
): Generator<readonly [seq: number, values: Values<C & U>]> {
  const keys = Object.keys(table.columns) as (keyof (C & U) & string)[];
  for (const row of sql.iterate(
    `SELECT t.seq, ${table.select('t', keys)} FROM ${table.name} t ${clause}`,
    ...values,
  ))
    yield [Number(row.seq), sql.reading(() => table.decode(row, keys)) as Values<C & U>];
}
