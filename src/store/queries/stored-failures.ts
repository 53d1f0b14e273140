import type { RunDatabase } from '../open-database.ts';
import { JOIN_REPLIES, readReply, replyColumns } from '../rows.ts';
import { readableCell } from '../table.ts';

/** Calls that failed alike. */
export interface FailedCalls {
  readonly isJudge: boolean;
  /** Whether they were made again. */
  readonly isRetry: boolean;
  readonly fault: string;
  /** What went wrong, where that is known more exactly than the fault. */
  readonly problem: string | null;
  /** The HTTP status; null where none came back. */
  readonly status: number | null;
  /** The message of the first, without the fault in front of it; null where none is stored. */
  readonly message: string | null;
  readonly n: number;
  /** The records that they were about: a call of a batch counts as one. */
  readonly nAbout: number;
}

/** What failed in a run, and which replies could not be used, counted by cause. */
export interface StoredFailures {
  readonly calls: readonly FailedCalls[];
  readonly rows: readonly (Pick<FailedCalls, 'problem' | 'status' | 'n'> & {
    /** Their fault; null where none is stored. */
    readonly reason: string | null;
  })[];
  readonly unusable: readonly {
    readonly state: 'invalid' | 'refused';
    readonly reason: string | null;
    /** The reply of the first; null where it is not stored. */
    readonly reply: string | null;
    readonly n: number;
  }[];
}

/**
 * Counts failures by cause: rows by their last attempt, calls by what they ended in. SQLite groups them, so a long run is not walked row by row. `maxRows` is as many as the file
 * has room for; -1 for no limit.
 */
export function storedFailures(run: RunDatabase, repeats: number, maxRows: number): StoredFailures {
  const calls = run
    .prepare(
      `SELECT mode = 'judge' AS isJudge, outcome = 'retry' AS isRetry,
        CASE WHEN outcome <> 'retry' THEN outcome WHEN instr(error, ':') > 0 THEN substr(error, 1, instr(error, ':') - 1) ELSE coalesce(error, 'unknown') END AS fault,
        problem, http_status AS status, error, min(id) AS first, count(*) AS n, count(DISTINCT record_ids) AS nAbout
      FROM (SELECT id, mode, outcome, error, problem, http_status, record_ids FROM all_calls LIMIT ?) WHERE outcome NOT IN ('answered', 'not_sent') GROUP BY 1, 2, 3, 4, 5 ORDER BY first`,
    )
    .all(maxRows);
  const ended = `FROM (SELECT record_id, repeat, state, state_reason, problem, http_status, call_id, reply_start, reply_end, ${readableCell('raw_response')} AS raw_response FROM latest_rows LIMIT ?) w JOIN records r ON r.id = w.record_id`;
  const where = 'WHERE w.repeat < ?';
  const rows = run
    .prepare(
      `SELECT w.state_reason AS reason, w.problem, w.http_status AS status, count(*) AS n ${ended} ${where} AND w.state = 'failed' GROUP BY 1, 2, 3`,
    )
    .all(maxRows, repeats);
  // The other columns are those of the row with the least position.
  const unusable = run
    .prepare(
      `SELECT w.state, w.state_reason AS reason, ${replyColumns()}, min(r.position) AS first, count(*) AS n ${ended} ${JOIN_REPLIES} ${where} AND w.state IN ('invalid', 'refused') GROUP BY 1, 2 ORDER BY first`,
    )
    .all(maxRows, repeats);
  return {
    calls: calls.map(({ isJudge, isRetry, fault, problem, status, error, n, nAbout }) => ({
      isJudge: isJudge === 1,
      isRetry: isRetry === 1,
      fault: String(fault),
      problem: textOrNull(problem),
      status: numberOrNull(status),
      message: textOrNull(error)?.replace(/^\w+: /, '') ?? null,
      n: Number(n),
      nAbout: Number(nAbout),
    })),
    rows: rows.map(({ reason, problem, status, n }) => ({
      reason: textOrNull(reason),
      problem: textOrNull(problem),
      status: numberOrNull(status),
      n: Number(n),
    })),
    unusable: unusable.map((row) => ({
      state: row.state as 'invalid' | 'refused',
      reason: textOrNull(row.reason),
      reply: readReply(row),
      n: Number(row.n),
    })),
  };
}

function textOrNull(cell: unknown): string | null {
  return cell === null ? null : String(cell);
}

function numberOrNull(cell: unknown): number | null {
  return typeof cell === 'number' ? cell : null;
}
