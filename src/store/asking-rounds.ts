import { connected } from '../core/collections.ts';
import { type CallSettings, problemIn, readSettings, recordIdsIn } from './call.ts';
import type { Events, RunEvent } from './events.ts';
import type { Statements } from './statements.ts';

/** A row is known by its record and repeat. */
export interface RowPlace {
  readonly recordId: string;
  readonly repeat: number;
}

/** A row whose last attempt failed. */
export type FailedRow = ReturnType<AskingRounds['failedRows']>[number];

/** The name of a row within a run. */
export function placeKey({ recordId, repeat }: RowPlace): string {
  return `${repeat}:${recordId}`;
}

/** The rounds in which failed rows were asked again: the attempt that its rows get, and the last call before it. */
export function roundsIn(events: readonly RunEvent[]) {
  return events
    .filter(({ kind }) => kind === 'asked_again')
    .map(({ data }) => ({ round: Number(data.round), lastCall: Number(data.last_call) }));
}

/** Rounds in which failed rows are asked again; their earlier attempts stay. */
export class AskingRounds {
  readonly #sql: Statements;
  readonly #events: Events;
  readonly #isBatched: () => boolean;

  /** `isBatched` says whether the run asks several records in one call. @internal */
  constructor(sql: Statements, events: Events, isBatched: () => boolean) {
    this.#sql = sql;
    this.#events = events;
    this.#isBatched = isBatched;
  }

  /** Begins a round; `data` says which rows it is about, for readers. */
  begin(round: number, data: Readonly<Record<string, unknown>>): void {
    const lastCall = Number(this.#sql.get('SELECT max(seq) AS id FROM calls')?.id ?? 0);
    this.#events.add('asked_again', { round, last_call: lastCall, ...data });
  }

  /** Rows whose last attempt failed. */
  failedRows() {
    // Most runs have none, and the last attempt at each row takes longer to find.
    if (this.#sql.get("SELECT 1 FROM rows WHERE state = 'failed' LIMIT 1") === undefined) return [];
    const failed = this.#sql.all(
      "SELECT w.record_id, w.repeat, w.attempt, w.problem, w.state_reason FROM records r JOIN latest_rows w ON w.record_id = r.id WHERE w.state = 'failed' ORDER BY w.repeat, r.position",
    );
    if (failed.length === 0) return [];
    const settings = settingsOfFailures(this.#sql);
    return failed.map((row) => {
      const place = { recordId: row.record_id as string, repeat: Number(row.repeat) };
      return {
        ...place,
        attempt: Number(row.attempt),
        /** What went wrong; null where the file does not say. */
        problem: problemIn(row.problem, row.state_reason),
        /** The settings of the call that failed; null where they were not recorded. */
        settings: settings.get(placeKey(place)) ?? null,
      };
    });
  }

  /** The rows that a round has entered so far. */
  rowsEntered(round: number): RowPlace[] {
    return this.#sql
      .all('SELECT record_id, repeat FROM rows WHERE attempt = ?', round)
      .map(({ record_id, repeat }) => ({ recordId: record_id as string, repeat: Number(repeat) }));
  }

  /**
   * The call that each record was planned into: the records that one prompt held, before it was split and in all repeats; for a row that
   * was asked again, the last time. It is named after its first record, so its name depends neither on the order of calls nor on how many
   * records follow. Without the records that were asked alone.
   */
  plannedCalls(): ReadonlyMap<string, string> {
    return this.#isBatched() ? planCalls(this.#sql, roundsIn(this.#events.read('asked_again'))) : new Map();
  }
}

/** The settings of the last call that failed about each row. */
function settingsOfFailures(sql: Statements): Map<string, CallSettings | null> {
  const settings = new Map<string, CallSettings | null>();
  const calls = sql.iterate(
    "SELECT record_ids, repeat, settings FROM all_calls WHERE mode <> 'judge' AND outcome NOT IN ('answered', 'retry', 'not_sent') ORDER BY id",
  );
  for (const { record_ids, repeat, settings: cell } of calls) {
    const stored = readSettings(sql, cell);
    for (const recordId of recordIdsIn(sql, record_ids))
      settings.set(placeKey({ recordId, repeat: Number(repeat) }), stored);
  }
  return settings;
}

/** The name of the call that each record was planned into; see `AskingRounds.plannedCalls`. */
function planCalls(sql: Statements, rounds: ReturnType<typeof roundsIn>): ReadonlyMap<string, string> {
  const ids = sql.all('SELECT id FROM records ORDER BY position').map(({ id }) => id as string);
  const places = new Map(ids.map((id, place) => [id, place]));
  const asked = new Set<number>();
  const since = askedAgainSince(sql, rounds);
  const found =
    since.size === 0
      ? sql.all('SELECT DISTINCT record_ids, 0 AS id, 0 AS repeat FROM calls')
      : sql.all('SELECT record_ids, seq AS id, repeat FROM calls');
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
function askedAgainSince(sql: Statements, rounds: ReturnType<typeof roundsIn>): Map<string, number> {
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
