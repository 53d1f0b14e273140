import { BULK_TABLES } from './bulk-tables.ts';
import { ANSWERING, callsOfJudge } from './call-sums.ts';
import type { Statements } from './statements.ts';

/** `intended`: written down before anything is sent. `uploaded`: the provider has the requests. `submitted`: it works on them. `ended`: it is done. `collected`: all results are in the journal. `removed`: it keeps nothing more of ours. `rejected`: it refused the whole job. `lost`: its results are gone. */
type BulkState =
  | 'intended'
  | 'uploaded'
  | 'submitted'
  | 'ended'
  | 'collected'
  | 'removed'
  | 'rejected'
  | 'lost';

/** A job at a provider that takes many requests at once, as the run file knows it. Requests and replies are never in it. */
export interface BulkJob {
  readonly id: number;
  /** Random; marks files and jobs at the provider as ours. */
  readonly nonce: string;
  /** The model, or the judge, whose requests they are. */
  readonly lane: string;
  readonly state: BulkState;
  readonly remoteId: string | null;
  readonly inputFile: string | null;
  readonly resultFiles: readonly string[];
  readonly n: number;
  readonly bytes: number;
  /** These in milliseconds of the clock. */
  readonly intendedAt: number;
  readonly submittedAt: number | null;
  readonly endedAt: number | null;
  readonly removedAt: number | null;
  /** Why it was rejected, or what the provider still keeps. */
  readonly why: string | null;
}

/** A request that is part of a job, or was part of one that expired (`job` is null then). */
export interface BulkItemEntry {
  readonly job: number | null;
  readonly reservedUsd: number;
  /** How often a job ended before the provider got to it. */
  readonly expired: number;
}

type Change = Partial<Omit<BulkJob, 'id' | 'nonce' | 'lane' | 'n' | 'bytes' | 'intendedAt'>>;

/** The bulk jobs of a run: every step is on the disk before the next is taken. */
export interface BulkLedger {
  jobs(): BulkJob[];
  /** Jobs whose results are not all in the journal, and may still come. */
  pending(): BulkJob[];
  /** Whether the model has answered a call; with the configuration of a judge, whether that judge has. */
  isAnswered(judge: string | null): boolean;
  /** The calls that have an outcome: replies to them are not needed any more. */
  endedCalls(): Iterable<{ readonly key: string; readonly attempt: number }>;
  /** The requests of a lane that are with the provider, or were and expired. */
  items(lane: string): Map<string, BulkItemEntry>;
  /** Writes down a job and its requests before anything is sent. */
  intend(
    job: Pick<BulkJob, 'nonce' | 'lane' | 'n' | 'bytes'>,
    items: readonly { readonly customId: string; readonly reservedUsd: number }[],
  ): BulkJob;
  update(id: number, change: Change): BulkJob;
  /** The job was never created, or is not ours: its requests are open again. */
  forget(id: number): void;
  /** These requests were not reached: they go into another job. */
  expire(customIds: readonly string[]): void;
  /** All results of the job are in the journal. */
  collected(id: number): BulkJob;
}

const PENDING: readonly BulkState[] = ['intended', 'uploaded', 'submitted', 'ended'];

export function bulkLedger(sql: Statements, alone: (work: () => void) => void): BulkLedger {
  const hasTables = () => sql.get("SELECT 1 FROM sqlite_schema WHERE name = 'bulk_jobs'") !== undefined;
  const job = (id: number) => toJob(sql.get('SELECT * FROM bulk_jobs WHERE id = ?', id)!);
  const ledger: BulkLedger = {
    jobs: () => (hasTables() ? sql.all('SELECT * FROM bulk_jobs ORDER BY id').map(toJob) : []),
    pending: () => ledger.jobs().filter(({ state }) => PENDING.includes(state)),
    isAnswered(judge) {
      const { sql: which, values } = judge === null ? ANSWERING : callsOfJudge(judge);
      const answered = `SELECT 1 FROM all_calls WHERE outcome = 'answered' AND ${which} LIMIT 1`;
      return sql.get(answered, ...values) !== undefined;
    },
    *endedCalls() {
      const ended = sql.iterate(
        "SELECT key, attempt FROM all_calls WHERE outcome IS NOT NULL AND outcome <> 'not_sent'",
      );
      for (const { key, attempt } of ended) yield { key: String(key), attempt: Number(attempt) };
    },
    items: (lane) =>
      new Map(
        hasTables()
          ? sql
              .all('SELECT * FROM bulk_items WHERE lane = ?', lane)
              .map(({ custom_id, job: of, reserved_usd, expired }) => [
                String(custom_id),
                {
                  job: of === null ? null : Number(of),
                  reservedUsd: Number(reserved_usd),
                  expired: Number(expired),
                },
              ])
          : [],
      ),
    intend({ nonce, lane, n, bytes }, items) {
      alone(() => {
        if (!hasTables()) for (const table of BULK_TABLES) sql.run(table);
        const { lastInsertRowid } = sql.run(
          "INSERT INTO bulk_jobs (nonce, lane, state, result_files, n, bytes, intended_at) VALUES (?, ?, 'intended', '[]', ?, ?, ?)",
          nonce,
          lane,
          n,
          bytes,
          Date.now(),
        );
        for (const { customId, reservedUsd } of items)
          sql.run(
            'INSERT INTO bulk_items VALUES (?, ?, ?, ?, 0) ON CONFLICT (custom_id) DO UPDATE SET job = excluded.job, reserved_usd = excluded.reserved_usd',
            customId,
            lane,
            Number(lastInsertRowid),
            reservedUsd,
          );
      });
      return toJob(sql.get('SELECT * FROM bulk_jobs WHERE nonce = ?', nonce)!);
    },
    update(id, change) {
      alone(() => {
        for (const [field, value] of Object.entries(change))
          sql.run(
            `UPDATE bulk_jobs SET ${COLUMNS[field as keyof Change]} = ? WHERE id = ?`,
            Array.isArray(value) ? JSON.stringify(value) : (value as string | number | null),
            id,
          );
      });
      return job(id);
    },
    forget(id) {
      alone(() => {
        sql.run('UPDATE bulk_items SET job = NULL WHERE job = ? AND expired > 0', id);
        sql.run('DELETE FROM bulk_items WHERE job = ?', id);
        sql.run('DELETE FROM bulk_jobs WHERE id = ?', id);
      });
    },
    expire(customIds) {
      alone(() => {
        for (const customId of customIds)
          sql.run(
            'UPDATE bulk_items SET job = NULL, expired = expired + 1 WHERE custom_id = ? AND job IS NOT NULL',
            customId,
          );
      });
    },
    collected(id) {
      alone(() => {
        sql.run('DELETE FROM bulk_items WHERE job = ?', id);
        sql.run("UPDATE bulk_jobs SET state = 'collected' WHERE id = ?", id);
      });
      return job(id);
    },
  };
  return ledger;
}

const COLUMNS: Readonly<Record<keyof Change, string>> = {
  state: 'state',
  remoteId: 'remote_id',
  inputFile: 'input_file',
  resultFiles: 'result_files',
  submittedAt: 'submitted_at',
  endedAt: 'ended_at',
  removedAt: 'removed_at',
  why: 'why',
};

type Cells = Record<string, unknown>;

function toJob(cells: Cells): BulkJob {
  const text = (name: string) => (cells[name] === null ? null : String(cells[name]));
  const moment = (name: string) => (cells[name] === null ? null : Number(cells[name]));
  const files: unknown = JSON.parse(String(cells.result_files));
  return {
    id: Number(cells.id),
    nonce: String(cells.nonce),
    lane: String(cells.lane),
    state: String(cells.state) as BulkState,
    remoteId: text('remote_id'),
    inputFile: text('input_file'),
    resultFiles: Array.isArray(files) ? files.map(String) : [],
    n: Number(cells.n),
    bytes: Number(cells.bytes),
    intendedAt: Number(cells.intended_at),
    submittedAt: moment('submitted_at'),
    endedAt: moment('ended_at'),
    removedAt: moment('removed_at'),
    why: text('why'),
  };
}
