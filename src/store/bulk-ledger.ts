import { ANSWERING, callsOfJudge } from './call-sums.ts';
import type { PartContext } from './entry-writer.ts';
import type { Values } from './table.ts';
import { BULK_ITEMS, BULK_JOBS } from './tables.ts';

/** A job at a provider that takes many requests at once, as the run file knows it. */
export type BulkJob = Values<typeof BULK_JOBS.columns> & { readonly id: number };

/** A request that is part of a job, or was part of one that expired. */
export type BulkItemEntry = Pick<Values<typeof BULK_ITEMS.columns>, 'job' | 'reservedUsd' | 'expired'>;

const JOB_KEYS = Object.keys(BULK_JOBS.columns) as (keyof typeof BULK_JOBS.columns)[];
const ITEM_KEYS = ['customId', 'job', 'reservedUsd', 'expired'] as const;
const PENDING: readonly string[] = ['intended', 'uploaded', 'submitted', 'ended'];

/** The bulk jobs of a run: every step is on the disk before the next is taken. */
export class BulkLedger {
  readonly #context: PartContext;

  /** @internal */
  constructor(context: PartContext) {
    this.#context = context;
  }

  jobs(): BulkJob[] {
    const { sql } = this.#context;
    if (!this.#hasTables()) return [];
    return sql
      .all(`SELECT seq, ${BULK_JOBS.select('j', JOB_KEYS)} FROM bulk_jobs j ORDER BY seq`)
      .map((row) => sql.reading(() => ({ id: Number(row.seq), ...BULK_JOBS.decode(row, JOB_KEYS) })));
  }

  /** Jobs whose results are not all in the journal, and may still come. */
  pending(): BulkJob[] {
    return this.jobs().filter(({ state }) => PENDING.includes(state));
  }

  /** Whether the model has answered a call; with the configuration of a judge, whether that judge has. */
  isAnswered(judge: string | null): boolean {
    const { sql: which, values } = judge === null ? ANSWERING : callsOfJudge(judge);
    const query = `SELECT 1 FROM all_calls WHERE outcome = 'answered' AND ${which} LIMIT 1`;
    return this.#context.sql.get(query, ...values) !== undefined;
  }

  /** The calls that have an outcome: replies to them are not needed any more. */
  *endedCalls(): Generator<{ readonly key: string; readonly attempt: number }> {
    const calls = this.#context.sql.iterate(
      "SELECT key, attempt FROM all_calls WHERE outcome IS NOT NULL AND outcome <> 'not_sent'",
    );
    for (const { key, attempt } of calls) yield { key: String(key), attempt: Number(attempt) };
  }

  /** The requests of a lane that are with the provider, or were and expired. */
  items(lane: string): Map<string, BulkItemEntry> {
    const { sql } = this.#context;
    if (!this.#hasTables()) return new Map();
    const rows = sql.all(
      `SELECT ${BULK_ITEMS.select('i', ITEM_KEYS)} FROM bulk_items i WHERE lane = ?`,
      lane,
    );
    return new Map(
      rows.map((row) => {
        const { customId, ...entry } = sql.reading(() => BULK_ITEMS.decode(row, ITEM_KEYS));
        return [customId, entry];
      }),
    );
  }

  /** Writes down a job and its requests before anything is sent. */
  intend(
    job: Pick<BulkJob, 'nonce' | 'lane' | 'n' | 'bytes'>,
    items: readonly { readonly customId: string; readonly reservedUsd: number }[],
  ): BulkJob {
    const { sql, commits } = this.#context;
    commits.alone(() => {
      if (!this.#hasTables()) for (const { ddl } of [BULK_JOBS, BULK_ITEMS]) sql.run(ddl);
      const cells = BULK_JOBS.encode({ ...job, intendedAt: Date.now() });
      const { lastInsertRowid } = sql.run(BULK_JOBS.insert, null, ...cells);
      for (const { customId, reservedUsd } of items)
        sql.run(
          'INSERT INTO bulk_items (custom_id, lane, job, reserved_usd, expired) VALUES (?, ?, ?, ?, 0) ON CONFLICT (custom_id) DO UPDATE SET job = excluded.job, reserved_usd = excluded.reserved_usd',
          customId,
          job.lane,
          Number(lastInsertRowid),
          reservedUsd,
        );
    });
    return this.jobs().find(({ nonce }) => nonce === job.nonce)!;
  }

  update(id: number, change: Partial<BulkJob>): BulkJob {
    return this.#context.commits.alone(() => this.#write(id, change));
  }

  #write(id: number, change: Partial<BulkJob>): BulkJob {
    const job = { ...this.jobs().find((one) => one.id === id)!, ...change };
    const marks = JOB_KEYS.map(() => '?').join(', ');
    const query = `UPDATE bulk_jobs SET (${BULK_JOBS.sqlNames.join(', ')}) = (${marks}) WHERE seq = ?`;
    this.#context.sql.run(query, ...BULK_JOBS.encode(job), id);
    return job;
  }

  /** The job was never created, or is not ours: its requests are open again. */
  forget(id: number): void {
    const { sql, commits } = this.#context;
    commits.alone(() => {
      sql.run('UPDATE bulk_items SET job = NULL WHERE job = ? AND expired > 0', id);
      sql.run('DELETE FROM bulk_items WHERE job = ?', id);
      sql.run('DELETE FROM bulk_jobs WHERE seq = ?', id);
    });
  }

  /** These requests were not reached: they go into another job. */
  expire(customIds: readonly string[]): void {
    const query =
      'UPDATE bulk_items SET job = NULL, expired = expired + 1 WHERE custom_id = ? AND job IS NOT NULL';
    this.#context.commits.alone(() => {
      for (const customId of customIds) this.#context.sql.run(query, customId);
    });
  }

  /** All results of the job are in the journal. */
  collected(id: number): BulkJob {
    const { sql, commits } = this.#context;
    return commits.alone(() => {
      sql.run('DELETE FROM bulk_items WHERE job = ?', id);
      return this.#write(id, { state: 'collected' });
    });
  }

  #hasTables(): boolean {
    return this.#context.sql.get("SELECT 1 FROM sqlite_schema WHERE name = 'bulk_jobs'") !== undefined;
  }
}
