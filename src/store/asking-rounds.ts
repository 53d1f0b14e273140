import { connected } from '../core/index.ts';
import { type FailedRow, placeKey, problemIn, type RowPlace, settingsIn } from './failed-row.ts';
import type { CallSettings } from './journal.ts';
import type { RunEvent } from './run-event.ts';
import type { Statements } from './statements.ts';
import { jsonCell, objectCell } from './stored-cells.ts';

/** A round of asking failed rows again. */
interface AskingRound {
  /** The attempt that rows of the round get: 1 for the first round. */
  readonly round: number;
  /** The last call before the round; later calls about its rows belong to it. */
  readonly lastCall: number;
}

/** The rounds in which failed rows were asked again. */
export function roundsIn(events: readonly RunEvent[]): AskingRound[] {
  return events
    .filter(({ kind }) => kind === 'asked_again')
    .map(({ data }) => ({ round: Number(data.round), lastCall: Number(data.last_call) }));
}

/** Rows of selected records whose last attempt failed. */
export function failedRows(sql: Statements): FailedRow[] {
  // Most runs have none, and the last attempt at each row takes longer to find.
  if (sql.get("SELECT 1 FROM rows WHERE state = 'failed' LIMIT 1") === undefined) return [];
  const failed = sql.all(
    "SELECT w.record_id, w.repeat, w.attempt, w.problem, w.state_reason FROM records r JOIN latest_rows w ON w.record_id = r.id WHERE r.selected = 1 AND w.state = 'failed' ORDER BY w.repeat, r.position",
  );
  if (failed.length === 0) return [];
  const settings = settingsOfFailures(sql);
  return failed.map((row) => {
    const place = { recordId: row.record_id as string, repeat: Number(row.repeat) };
    return {
      ...place,
      attempt: Number(row.attempt),
      problem: problemIn(row.problem, row.state_reason),
      settings: settings.get(placeKey(place)) ?? null,
    };
  });
}

/** The settings of the last call that failed about each row. */
function settingsOfFailures(sql: Statements): Map<string, CallSettings | null> {
  const settings = new Map<string, CallSettings | null>();
  const calls = sql.iterate(
    "SELECT record_ids, repeat, settings FROM calls WHERE mode <> 'judge' AND outcome NOT IN ('answered', 'retry', 'not_sent') ORDER BY id",
  );
  for (const { record_ids, repeat, settings: cell } of calls) {
    const stored = cell === null ? null : sql.reading(() => objectCell(cell, 'settings of a call'));
    for (const recordId of recordIdsIn(sql, record_ids))
      settings.set(placeKey({ recordId, repeat: Number(repeat) }), settingsIn(stored));
  }
  return settings;
}

/** The rows that a round has entered so far. */
export function rowsOfRound(sql: Statements, round: number): RowPlace[] {
  return sql
    .all('SELECT record_id, repeat FROM rows WHERE attempt = ?', round)
    .map(({ record_id, repeat }) => ({ recordId: record_id as string, repeat: Number(repeat) }));
}

/** How many rows were asked again after they had failed. */
export function nAskedAgain(sql: Statements): number {
  const rows = 'SELECT DISTINCT record_id, repeat FROM rows WHERE attempt > 0';
  return Number(sql.get(`SELECT count(*) AS n FROM (${rows})`)!.n);
}

/** The records of a call. */
export function recordIdsIn(sql: Statements, cell: unknown): string[] {
  return Object.values(sql.reading(() => jsonCell(cell, 'the records of a call')) ?? {});
}

/** The name of the call that each record was planned into; see `RunFile.plannedCalls`. */
export function plannedCalls(sql: Statements, rounds: readonly AskingRound[]): ReadonlyMap<string, string> {
  const selected = sql.all('SELECT id FROM records WHERE selected = 1 ORDER BY position');
  const ids = selected.map(({ id }) => id as string);
  const places = new Map(ids.map((id, place) => [id, place]));
  const asked = new Set<number>();
  const since = askedAgainSince(sql, rounds);
  const found =
    since.size === 0
      ? sql.all('SELECT DISTINCT record_ids, 0 AS id, 0 AS repeat FROM calls')
      : sql.all('SELECT record_ids, id, repeat FROM calls');
  const links = found.map(({ record_ids, id: call, repeat }) => {
    const link = recordIdsIn(sql, record_ids).flatMap((id) => {
      const isReplaced =
        Number(call) <= (since.get(placeKey({ recordId: id, repeat: Number(repeat) })) ?? -1);
      return isReplaced ? [] : (places.get(id) ?? []);
    });
    for (const place of link) asked.add(place);
    return link;
  });
  const calls = connected(ids.length, links);
  const names = new Map<number, string>();
  for (const [place, call] of calls.entries()) if (!names.has(call)) names.set(call, ids[place]!);
  // A record that was asked alone, whatever the batch size, shares its prompt with no other.
  const members = Map.groupBy(asked, (place) => calls[place]!);
  const shared = [...asked].filter((place) => members.get(calls[place]!)!.length > 1);
  return new Map(shared.map((place) => [ids[place]!, names.get(calls[place]!)!]));
}

/** The last call before each row that was asked again was asked for the last time: calls up to there brought nothing that counts. */
function askedAgainSince(sql: Statements, rounds: readonly AskingRound[]): Map<string, number> {
  if (rounds.length === 0) return new Map();
  const lastCalls = new Map(rounds.map(({ round, lastCall }) => [round, lastCall]));
  const again = sql.all(
    'SELECT record_id, repeat, max(attempt) AS attempt FROM rows WHERE attempt > 0 GROUP BY record_id, repeat',
  );
  return new Map(
    again.map(({ record_id, repeat, attempt }) => [
      placeKey({ recordId: record_id as string, repeat: Number(repeat) }),
      lastCalls.get(Number(attempt)) ?? 0,
    ]),
  );
}
