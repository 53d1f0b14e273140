import { type Fault, FINAL_FAULTS } from '../core/fault.ts';
import { type CallFailure, type CallIntent, type CallOutcome, problemIn, recordIdsIn } from './call.ts';
import { CallSums } from './call-sums.ts';
import type { PartContext } from './entry-writer.ts';
import type { Events } from './events.ts';
import type { NewRow, Rows } from './rows.ts';
import type { Statements } from './statements.ts';
import { storedText } from './stored-text.ts';
import { CALLS, OUTCOMES } from './tables.ts';

/** Outcomes after which a call is made again: at once, or when the user has acted. */
const NOT_ENDED = ['retry', 'not_sent', ...FINAL_FAULTS].map((outcome) => `'${outcome}'`).join(', ');
const HAS_ENDED = `outcome IS NOT NULL AND outcome NOT IN (${NOT_ENDED})`;

/**
 * The calls of a run, by their keys: which came back, and how. A call is entered before it is made and after it came back, together with
 * the rows that it brought; one that came back for good is not made again.
 */
export class Calls extends CallSums {
  readonly #context: PartContext;
  readonly #rows: Rows;
  readonly #checkPlace: () => void;
  readonly #sql: Statements;
  /** The last call of each key, if the file held no calls before this process: other keys need no lookup, and these are found by id. Null if it held some. */
  #begun: Map<string, number> | null;
  #hasKeyIndex = false;

  /** `checkPlace` is called before a call is entered: it notices a run file that is gone. @internal */
  constructor(context: PartContext, rows: Rows, events: Events, checkPlace: () => void) {
    super(context.sql, events);
    this.#context = context;
    this.#rows = rows;
    this.#checkPlace = checkPlace;
    this.#sql = context.sql;
    const isFirst = this.#sql.isOurs && this.#sql.get('SELECT 1 FROM calls LIMIT 1') === undefined;
    this.#begun = isFirst ? new Map() : null;
  }

  /** How a call ended that came back for good; null for one that was never finished, or that stopped the run: once the user has acted, it is made again. */
  ended(key: string): 'answered' | Fault | null {
    return this.#isNew(key) ? null : (this.#endedCall(key)?.outcome ?? null);
  }

  /** What went wrong with a call that came back for good; null for one that was answered. */
  failure(key: string): CallFailure | null {
    const call = this.#endedCall(key);
    if (call === null || call.outcome === 'answered') return null;
    return {
      fault: call.outcome,
      problem: problemIn(call.problem, call.outcome)!,
      status: call.status,
    };
  }

  /** The records that a call was asked about and, when it ended, had brought no row for. */
  unanswered(key: string): readonly string[] {
    const call = this.#endedCall(key);
    if (call === null) return [];
    const query = 'SELECT 1 FROM rows WHERE record_id = ? AND repeat = ? AND call_id = ?';
    return recordIdsIn(this.#sql, call.recordIds).filter(
      (id) => this.#sql.get(query, id, call.repeat, call.id) === undefined,
    );
  }

  /** The reply to a call that ended well, where it was kept. */
  reply(key: string): string | null {
    const call = this.#lastCall('raw_response', key, "outcome = 'answered'");
    return (call?.raw_response as string | null | undefined) ?? null;
  }

  /** Attempts made so far at a call that has not ended, and the error of the last. */
  attempts(key: string): { n: number; lastError: string | null } {
    if (this.#isNew(key)) return { n: 0, lastError: null };
    // The last call of a key may have stopped the run; then the retries before it count.
    const retry =
      this.#lastCall('attempt, error', key, "outcome = 'retry'") ??
      this.#sql.get(
        "SELECT attempt, error FROM all_calls WHERE key = ? AND outcome = 'retry' ORDER BY attempt DESC LIMIT 1",
        key,
      );
    return retry === undefined
      ? { n: 0, lastError: null }
      : { n: Number(retry.attempt) + 1, lastError: retry.error as string | null };
  }

  /** Calls that were begun and have no outcome: their replies may have been sent, and they are made again. */
  countUnfinished(): number {
    const hasAny = 'SELECT 1 FROM all_calls WHERE outcome IS NULL LIMIT 1';
    // Without any, the index is not made: a run that has nothing to do stays as it is.
    if (this.#begun !== null || this.#sql.get(hasAny) === undefined) return 0;
    this.#indexKeys();
    const unfinished = this.#sql.get(
      'SELECT count(*) AS n FROM all_calls c WHERE outcome IS NULL AND NOT EXISTS (SELECT 1 FROM calls l WHERE l.key = c.key AND l.seq > c.id)',
    );
    return Number(unfinished!.n);
  }

  /** Enters a call. Resolves when it is committed, with everything entered before it; only then may the call be made. */
  async begin(call: CallIntent): Promise<number> {
    this.#checkPlace();
    return this.#context.commits.begin(() => this.write(call, Date.now() / 1000));
  }

  /** Writes a call inside a transaction, and returns its number. */
  write({ settings = null, ...call }: CallIntent, startedAt: number): number {
    const id = this.#context.writer.insert(CALLS, {
      ...call,
      nRecords: call.recordIds.length,
      startedAt,
      settings: settings as Readonly<Record<string, unknown>> | null,
    })!;
    this.#begun?.set(call.key, id);
    return id;
  }

  /** Enters what came of a call, with the rows that it brought; the first outcome counts. The reply is stored once, with the call. */
  end(callId: number, outcome: CallOutcome, rows: readonly NewRow[]): void {
    const [first] = rows;
    const withheld = outcome.withheld ?? first?.withheld ?? null;
    const reply = outcome.rawResponse ?? (withheld === null ? (first?.rawResponse ?? null) : null);
    this.#context.commits.enter(() => {
      this.#context.writer.insert(OUTCOMES, {
        ...outcome,
        callId,
        finishedAt: Date.now() / 1000,
        ...storedText(reply, withheld, this.#context.textKey),
      });
      const latencyMs = outcome.latencySeconds == null ? null : Math.round(outcome.latencySeconds * 1000);
      for (const row of rows) this.#rows.write({ ...row, latencyMs }, callId, reply);
    });
  }

  /** From now on looks up every key in the file: calls were entered by other means than `begin`. */
  lookUpAll(): void {
    this.#begun = null;
  }

  #isNew(key: string): boolean {
    return this.#begun !== null && !this.#begun.has(key);
  }

  /** Only a continued run looks up calls by key, and maintaining the index costs a quarter of all writing: it is created on demand. */
  #indexKeys(): void {
    if (this.#hasKeyIndex || !this.#sql.isOurs) return;
    this.#sql.run('CREATE INDEX IF NOT EXISTS calls_by_key ON calls (key)');
    this.#hasKeyIndex = true;
  }

  /** Of the calls of a key that ended in one of some ways, the last. */
  #lastCall(columns: string, key: string, ended: string) {
    if (this.#begun === null) this.#indexKeys();
    const [known, value] = this.#begun === null ? ['key', key] : ['id', this.#begun.get(key) ?? 0];
    return this.#sql.get(
      `SELECT ${columns} FROM all_calls WHERE ${known} = ? AND ${ended} ORDER BY attempt DESC LIMIT 1`,
      value!,
    );
  }

  #endedCall(key: string) {
    const columns = 'id, outcome, record_ids, repeat, problem, http_status';
    const call = this.#lastCall(columns, key, HAS_ENDED);
    if (call === undefined) return null;
    return {
      id: Number(call.id),
      outcome: call.outcome as 'answered' | Fault,
      recordIds: call.record_ids,
      repeat: Number(call.repeat),
      problem: call.problem,
      status: call.http_status === null ? null : Number(call.http_status),
    };
  }
}
