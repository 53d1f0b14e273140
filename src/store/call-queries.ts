import { type Label, sameLabel } from '../core/index.ts';
import { type FinishedCalls, totalsOf } from './call-totals.ts';
import { settingsIn } from './failed-row.ts';
import type { CallSettings, CallTotals } from './journal.ts';
import { callsOf } from './judgement-names.ts';
import type { Statements } from './statements.ts';
import { jsonCell, objectCell } from './stored-cells.ts';

/** What a run has cost, in US dollars. */
export interface Spent {
  readonly settledUsd: number;
  /** Set aside for calls that have no outcome, and not released. */
  readonly unsettledUsd: number;
  readonly nUnsettled: number;
  /** The most that a call cost in relation to what was set aside for it; null where none was settled by its usage. */
  readonly worstRatio: number | null;
}

/** Which calls are summed. */
interface CallsWanted {
  readonly sql: string;
  readonly values: readonly string[];
}

/** The calls for answers. */
export const ANSWERING: CallsWanted = { sql: "mode <> 'judge'", values: [] };

/** The calls of judges. */
export const JUDGING: CallsWanted = { sql: "mode = 'judge'", values: [] };

/** The calls of one configuration of a judge. Earlier versions named calls without one. */
export function callsOfJudge(config: string): CallsWanted {
  const named = callsOf(config);
  const own = `substr(key, 1, ${named.length}) = ?`;
  const isOlder = config === '' ? " OR key NOT LIKE 'judge:%'" : '';
  return { sql: `mode = 'judge' AND (${own}${isOlder})`, values: [named] };
}

/** Sums over finished calls of a run. Default: over all. */
export function callTotals(sql: Statements, which: CallsWanted = { sql: '1', values: [] }): CallTotals {
  const groups = sql.all(
    `SELECT outcome, problem, mode, n_records > 1 AS isBatch, error LIKE 'rate_limit:%' AS isRateLimit, model_id AS modelId, cached, cost_basis = 'reserve' AS isAtReserve, count(*) AS n,
      sum(input_tokens) AS inputTokens, sum(output_tokens) AS outputTokens, sum(wasted_tokens) AS wastedTokens, sum(cost_usd) AS costUsd, min(cached_at) AS oldestCacheHit
    FROM calls WHERE outcome IS NOT NULL AND outcome <> 'not_sent' AND ${which.sql} GROUP BY outcome, problem, mode, isBatch, isRateLimit, model_id, cached, isAtReserve ORDER BY min(id)`,
    ...which.values,
  ) as unknown as FinishedCalls[];
  const latencies = sql.all(
    `SELECT latency FROM calls WHERE latency IS NOT NULL AND cached = 0 AND ${which.sql}`,
    ...which.values,
  );
  return totalsOf(
    groups,
    latencies.map(({ latency }) => latency as number),
  );
}

/** The settings of the calls for answers, with how many calls had them, in order of first use. */
export function callSettings(sql: Statements): { settings: CallSettings; nCalls: number }[] {
  const found = sql.all(
    "SELECT settings, count(*) AS n FROM calls WHERE settings IS NOT NULL AND mode <> 'judge' GROUP BY settings ORDER BY min(id)",
  );
  return found.map(({ settings, n }) => ({
    settings: settingsIn(sql.reading(() => objectCell(settings, 'settings of a call'))) ?? {},
    nCalls: Number(n),
  }));
}

/** How calls were made, where not all were requests of the process that wrote the run, with how many were and how many of them failed. */
export function callsMade(sql: Statements): CallsMade[] {
  const found = sql.all(
    "SELECT via, worker, count(*) AS n, sum(outcome NOT IN ('answered', 'retry')) AS failed FROM calls WHERE via IS NOT NULL AND outcome IS NOT NULL AND outcome <> 'not_sent' GROUP BY via, worker ORDER BY min(id)",
  );
  const made = found.map(({ via, worker, n, failed }) => ({
    via: String(via),
    worker: worker === null ? null : String(worker),
    nCalls: Number(n),
    nFailed: Number(failed),
  }));
  return made.some(({ via }) => via !== 'http') ? made : [];
}

/** The rows that each worker's calls brought; empty where the process that wrote the run made all calls. Rows that failed belong to no call. */
export function rowsByWorker(sql: Statements): WorkerRows[] {
  const groups = sql.all(
    'SELECT c.worker AS worker, w.state AS state, w.prediction AS prediction, r.label AS label, count(*) AS n FROM latest_rows w JOIN calls c ON c.id = w.call JOIN records r ON r.id = w.record_id WHERE c.worker IS NOT NULL AND r.selected = 1 GROUP BY 1, 2, 3, 4 ORDER BY 1',
  );
  const found = new Map<string, { nRows: number; nLabelled: number; nRight: number }>();
  for (const { worker, state, prediction, label, n } of groups) {
    const name = String(worker);
    const counts = found.get(name) ?? { nRows: 0, nLabelled: 0, nRight: 0 };
    const [said, truth] = sql.reading(() => [
      jsonCell(prediction, 'a prediction') as Label | null,
      jsonCell(label, 'a label') as Label | null,
    ]);
    const isRight = state === 'answered' && said !== null && truth !== null && sameLabel(said, truth);
    counts.nRows += Number(n);
    if (truth !== null) counts.nLabelled += Number(n);
    if (isRight) counts.nRight += Number(n);
    found.set(name, counts);
  }
  return [...found].map(([worker, counts]) => ({ worker, ...counts }));
}

/** What one worker's calls brought: rows, those of records with a label, and right answers among them. */
export interface WorkerRows {
  readonly worker: string;
  readonly nRows: number;
  readonly nLabelled: number;
  readonly nRight: number;
}

/** Calls that were made in one way, by one process. */
export interface CallsMade {
  readonly via: string;
  readonly worker: string | null;
  readonly nCalls: number;
  readonly nFailed: number;
}

/** Calls for answers that came back, and replies from the cache. */
export function nAnswerCalls(sql: Statements): number {
  const ended = "outcome IS NOT NULL AND outcome <> 'not_sent'";
  return Number(sql.get(`SELECT count(*) AS n FROM calls WHERE ${ended} AND ${ANSWERING.sql}`)!.n);
}

/** The number of the last call; 0 before the first. */
export function lastCallId(sql: Statements): number {
  return Number(sql.get('SELECT max(id) AS id FROM calls')?.id ?? 0);
}

/** What calls cost; what was set aside up to the last call that was released does not count. */
export function spentOnCalls(sql: Statements, lastReleased: number): Spent {
  const settled = sql.get(
    "SELECT sum(cost_usd) AS usd, max(CASE WHEN cost_basis = 'usage' AND reserved_usd > 0 THEN cost_usd / reserved_usd END) AS ratio FROM calls WHERE cached = 0",
  );
  const unsettled = sql.get(
    'SELECT sum(reserved_usd) AS usd, count(reserved_usd) AS n FROM calls WHERE outcome IS NULL AND id > ?',
    lastReleased,
  );
  return {
    settledUsd: Number(settled?.usd ?? 0),
    unsettledUsd: Number(unsettled?.usd ?? 0),
    nUnsettled: Number(unsettled?.n ?? 0),
    worstRatio: settled?.ratio == null ? null : Number(settled.ratio),
  };
}
