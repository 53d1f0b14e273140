import { type Fault, FINAL_FAULTS } from '../core/index.ts';
import { recordIdsIn } from './asking-rounds.ts';
import { intentCells } from './call-cells.ts';
import type { Cells } from './chain.ts';
import type { EntryWriter } from './entry-writer.ts';
import { problemIn } from './failed-row.ts';
import type { CallFailure, CallIntent } from './journal.ts';
import type { Statements } from './statements.ts';

/** Outcomes after which a call is made again: at once, or when the user has acted. */
const NOT_ENDED = ['retry', 'not_sent', ...FINAL_FAULTS].map((outcome) => `'${outcome}'`).join(', ');

interface EndedCall {
  readonly id: number;
  readonly outcome: 'answered' | Fault;
  readonly record_ids: string;
  readonly repeat: number;
  readonly problem: string | null;
  readonly status: number | null;
}

/** The calls of a run, by their keys: which came back, and how. */
export interface CallJournal {
  /** How a call ended that came back for good; null for one that was never finished, or that stopped the run: once the user has acted, it is made again. */
  ended(key: string): 'answered' | Fault | null;
  /** What went wrong with a call that came back for good; null for one that was answered. */
  failure(key: string): CallFailure | null;
  /** The records that a call was asked about and, when it ended, had brought no row for. */
  left(key: string): readonly string[];
  /** The reply to a call that ended well, where it was kept. */
  reply(key: string): string | null;
  /** Attempts made so far at a call that has not ended, and the error of the last. */
  attempts(key: string): { n: number; lastError: string | null };
  /** Calls that were begun and have no outcome: their replies may have been sent, and they are made again. */
  nUnfinished(): number;
  /** Enters a call that is about to be made. Returns its number. */
  begin(call: CallIntent): number;
  /** Fills the cells of a call's outcome; the first counts. */
  end(id: number, cells: Cells): void;
  /** From now on looks up every key in the file: calls were entered by other means than `begin`. */
  lookUpAll(): void;
}

export function callJournal(sql: Statements, writer: EntryWriter): CallJournal {
  /** The last call of each key, if the file held no calls before this process: other keys need no lookup, and these are found by id. Null if it held some. */
  let begun: Map<string, number> | null =
    sql.isOurs && sql.get('SELECT 1 FROM calls LIMIT 1') === undefined ? new Map() : null;
  let hasKeyIndex = false;

  const isNew = (key: string) => begun !== null && !begun.has(key);

  /** Only a continued run looks up calls by key, and maintaining the index costs a quarter of all writing: it is created on demand. */
  function indexKeys(): void {
    if (hasKeyIndex || !sql.isOurs) return;
    sql.run('CREATE INDEX IF NOT EXISTS calls_by_key ON calls (key)');
    hasKeyIndex = true;
  }

  /** Of the calls of a key that ended in one of some ways, the last. */
  function lastCall(columns: string, key: string, ended: string) {
    if (begun === null) indexKeys();
    const [known, value] = begun === null ? ['key', key] : ['id', begun.get(key) ?? 0];
    return sql.get(
      `SELECT ${columns} FROM calls WHERE ${known} = ? AND ${ended} ORDER BY attempt DESC LIMIT 1`,
      value,
    );
  }

  function endedCall(key: string): EndedCall | null {
    const hasEnded = `outcome IS NOT NULL AND outcome NOT IN (${NOT_ENDED})`;
    return (lastCall('id, outcome, record_ids, repeat, problem, status', key, hasEnded) ??
      null) as EndedCall | null;
  }

  return {
    ended: (key) => (isNew(key) ? null : (endedCall(key)?.outcome ?? null)),
    failure(key) {
      const call = endedCall(key);
      if (call === null || call.outcome === 'answered') return null;
      return {
        fault: call.outcome,
        problem: problemIn(call.problem, call.outcome)!,
        status: call.status === null ? null : Number(call.status),
      };
    },
    left(key) {
      const call = endedCall(key);
      if (call === null) return [];
      const query = 'SELECT 1 FROM rows WHERE record_id = ? AND repeat = ? AND call = ?';
      return recordIdsIn(sql, call.record_ids).filter(
        (id) => sql.get(query, id, call.repeat, call.id) === undefined,
      );
    },
    reply(key) {
      const found = lastCall('raw_response', key, "outcome = 'answered'");
      return (found?.raw_response as string | null | undefined) ?? null;
    },
    attempts(key) {
      if (isNew(key)) return { n: 0, lastError: null };
      // The last call of a key may have stopped the run; then the retries before it count.
      const found =
        lastCall('attempt, error', key, "outcome = 'retry'") ??
        sql.get(
          "SELECT attempt, error FROM calls WHERE key = ? AND outcome = 'retry' ORDER BY attempt DESC LIMIT 1",
          key,
        );
      return found === undefined
        ? { n: 0, lastError: null }
        : { n: Number(found.attempt) + 1, lastError: found.error as string | null };
    },
    nUnfinished() {
      const hasAny = 'SELECT 1 FROM calls WHERE outcome IS NULL LIMIT 1';
      // Without any, the index is not made: a run that has nothing to do stays as it is.
      if (begun !== null || sql.get(hasAny) === undefined) return 0;
      indexKeys();
      const found = sql.get(
        `SELECT count(*) AS n FROM calls c WHERE outcome IS NULL AND NOT EXISTS (SELECT 1 FROM calls l WHERE l.key = c.key AND l.id > c.id)`,
      );
      return Number(found!.n);
    },
    begin(call) {
      const id = writer.insert('intent', [], intentCells(call))!;
      begun?.set(call.key, id);
      return id;
    },
    end(id, cells) {
      const columns = Object.keys(cells).map((column) => `${column} = ?`);
      const { changes } = sql.run(
        `UPDATE calls SET ${columns.join(', ')} WHERE id = ? AND outcome IS NULL`,
        ...Object.values(cells),
        id,
      );
      if (changes > 0) writer.append('outcome', [id], cells);
    },
    lookUpAll() {
      begun = null;
    },
  };
}
