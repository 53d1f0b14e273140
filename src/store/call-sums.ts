import { isWorthSplitting, type Label, sameLabel } from '../core/index.ts';
import { type CallMode, type CallOutcome, type CallSettings, readSettings } from './call.ts';
import type { Events } from './events.ts';
import { callsOf } from './judgement-names.ts';
import type { Statements } from './statements.ts';
import { labelCell } from './stored-cells.ts';

/** Sums over finished calls. */
export interface CallTotals {
  readonly calls: number;
  readonly retries: number;
  readonly splits: number;
  readonly singleFallbacks: number;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly wastedTokens: number;
  /** Calls that the provider turned away. */
  readonly rateLimits: number;
  readonly latencies: readonly number[];
  readonly modelIds: readonly string[];
  /** What settled calls cost; null when no call had a price. */
  readonly costUsd: number | null;
  /** Calls whose cost is what was set aside for them, because the provider reported no usage that can be true. */
  readonly settledAtReserve: number;
  /** Replies from the cache, which are not among the calls. */
  readonly cacheHits: number;
  /** When the oldest of them was given, in seconds since 1970; null where there are none, or the file does not say. */
  readonly oldestCacheHit: number | null;
  /** Calls that were answered, and replies from the cache. */
  readonly replies: number;
}

/** What a run has cost, in US dollars. */
export interface Spent {
  readonly settledUsd: number;
  /** Set aside for calls that have no outcome, and not released. */
  readonly unsettledUsd: number;
  readonly nUnsettled: number;
  /** The most that a call cost in relation to what was set aside for it; null where none was settled by its usage. */
  readonly worstRatio: number | null;
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

/** Which calls are summed. */
interface CallsWanted {
  readonly sql: string;
  readonly values: readonly string[];
}

/** The calls for answers. */
export const ANSWERING: CallsWanted = { sql: "mode <> 'judge'", values: [] };

/** The calls of judges. */
const JUDGING: CallsWanted = { sql: "mode = 'judge'", values: [] };

/** The calls of one configuration of a judge. */
export function callsOfJudge(config: string): CallsWanted {
  const name = callsOf(config);
  return { sql: `mode = 'judge' AND substr(key, 1, ${name.length}) = ?`, values: [name] };
}

const ENDED = "outcome IS NOT NULL AND outcome <> 'not_sent'";

/** What the calls of a run add up to. */
export class CallSums {
  readonly #sql: Statements;
  readonly #events: Events;

  /** @internal */
  constructor(sql: Statements, events: Events) {
    this.#sql = sql;
    this.#events = events;
  }

  /** Sums over finished calls: of all, of those for answers, or of those of judges. */
  totals(role: 'all' | 'model' | 'judge' = 'all'): CallTotals {
    return this.#totals({ all: { sql: '1', values: [] }, model: ANSWERING, judge: JUDGING }[role]);
  }

  /** Sums over the finished calls of one configuration of a judge. */
  judgeTotals(config: string): CallTotals {
    return this.#totals(callsOfJudge(config));
  }

  #totals({ sql, values }: CallsWanted): CallTotals {
    const groups = this.#sql.all(
      `SELECT outcome, problem, mode, n_records > 1 AS isBatch, error LIKE 'rate_limit:%' AS isRateLimit, model_id AS modelId, cached_at IS NOT NULL AS cached, cost_basis = 'reserve' AS isAtReserve, count(*) AS n,
      sum(input_tokens) AS inputTokens, sum(output_tokens) AS outputTokens, sum(wasted_tokens) AS wastedTokens, sum(cost_usd) AS costUsd, min(cached_at) AS oldestCacheHit
    FROM all_calls WHERE ${ENDED} AND ${sql} GROUP BY outcome, problem, mode, isBatch, isRateLimit, model_id, cached, isAtReserve ORDER BY min(id)`,
      ...values,
    ) as unknown as FinishedCalls[];
    const latencies = this.#sql.all(
      `SELECT latency_seconds AS latency FROM all_calls WHERE latency_seconds IS NOT NULL AND cached_at IS NULL AND ${sql}`,
      ...values,
    );
    return sumCalls(
      groups,
      latencies.map(({ latency }) => latency as number),
    );
  }

  /** Calls for answers that came back, and replies from the cache. */
  countAnswering(): number {
    return Number(
      this.#sql.get(`SELECT count(*) AS n FROM all_calls WHERE ${ENDED} AND ${ANSWERING.sql}`)!.n,
    );
  }

  /** The number of the last call; 0 before the first. */
  lastId(): number {
    return Number(this.#sql.get('SELECT max(seq) AS id FROM calls')?.id ?? 0);
  }

  /** The settings of the calls for answers, with how many calls had them, in order of first use. */
  settings(): { readonly settings: CallSettings; readonly nCalls: number }[] {
    const rows = this.#sql.all(
      "SELECT settings, count(*) AS n FROM calls WHERE settings IS NOT NULL AND mode <> 'judge' GROUP BY settings ORDER BY min(seq)",
    );
    return rows.map(({ settings, n }) => ({
      settings: readSettings(this.#sql, settings) ?? {},
      nCalls: Number(n),
    }));
  }

  /** How calls were made, where not all were requests of the process that wrote the run, with how many were and how many of them failed. */
  made(): CallsMade[] {
    const rows = this.#sql.all(
      `SELECT via, worker, count(*) AS n, sum(outcome NOT IN ('answered', 'retry')) AS failed FROM all_calls WHERE via IS NOT NULL AND ${ENDED} GROUP BY via, worker ORDER BY min(id)`,
    );
    const made = rows.map(({ via, worker, n, failed }) => ({
      via: String(via),
      worker: worker === null ? null : String(worker),
      nCalls: Number(n),
      nFailed: Number(failed),
    }));
    return made.some(({ via }) => via !== 'http') ? made : [];
  }

  /** The rows that each worker's calls brought; empty where the process that wrote the run made all calls. Rows that failed belong to no call. */
  rowsByWorker(): WorkerRows[] {
    const groups = this.#sql.all(
      'SELECT c.worker AS worker, w.state AS state, w.prediction AS prediction, r.label AS label, count(*) AS n FROM latest_rows w JOIN outcomes c ON c.call_id = w.call_id JOIN records r ON r.id = w.record_id WHERE c.worker IS NOT NULL GROUP BY 1, 2, 3, 4 ORDER BY 1',
    );
    const workers = new Map<string, { nRows: number; nLabelled: number; nRight: number }>();
    for (const { worker, state, prediction, label, n } of groups) {
      const counts = workers.get(String(worker)) ?? { nRows: 0, nLabelled: 0, nRight: 0 };
      const [answer, truth] = this.#sql.reading((): [Label | null, Label | null] => [
        labelCell(prediction, 'a prediction'),
        labelCell(label, 'a label'),
      ]);
      const isRight = state === 'answered' && answer !== null && truth !== null && sameLabel(answer, truth);
      counts.nRows += Number(n);
      if (truth !== null) counts.nLabelled += Number(n);
      if (isRight) counts.nRight += Number(n);
      workers.set(String(worker), counts);
    }
    return [...workers].map(([worker, counts]) => ({ worker, ...counts }));
  }

  /** What the run has cost so far; what was set aside up to the last call that was released does not count. */
  spent(): Spent {
    const released = this.#events.read('budget_released').at(-1);
    const settled = this.#sql.get(
      "SELECT sum(cost_usd) AS usd, max(CASE WHEN cost_basis = 'usage' AND reserved_usd > 0 THEN cost_usd / reserved_usd END) AS ratio FROM all_calls WHERE cached_at IS NULL",
    );
    const unsettled = this.#sql.get(
      'SELECT sum(reserved_usd) AS usd, count(reserved_usd) AS n FROM all_calls WHERE outcome IS NULL AND id > ?',
      Number(released?.data.last_call ?? 0),
    );
    return {
      settledUsd: Number(settled?.usd ?? 0),
      unsettledUsd: Number(unsettled?.usd ?? 0),
      nUnsettled: Number(unsettled?.n ?? 0),
      worstRatio: settled?.ratio == null ? null : Number(settled.ratio),
    };
  }

  /** Frees what earlier processes set aside for calls that have no outcome. The calls stay as they are. */
  releaseUnsettled(): void {
    const { unsettledUsd, nUnsettled } = this.spent();
    if (nUnsettled === 0) return;
    this.#events.add('budget_released', {
      last_call: this.lastId(),
      n_calls: nUnsettled,
      unsettled_usd: unsettledUsd,
    });
  }
}

/** Calls that ended alike, with their sums. */
interface FinishedCalls {
  readonly modelId: string | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly wastedTokens: number;
  readonly costUsd: number | null;
  readonly n: number;
  readonly outcome: Exclude<CallOutcome['outcome'], 'not_sent'>;
  readonly problem: string | null;
  readonly mode: CallMode;
  /** These are 0 or 1, and null where there is no error to look at. */
  readonly isBatch: number;
  readonly isRateLimit: number | null;
  readonly cached: number;
  readonly oldestCacheHit: number | null;
  readonly isAtReserve: number | null;
}

type Nullable = 'inputTokens' | 'outputTokens' | 'costUsd';

/** Sums over finished calls. Tokens are null when no call reported any. */
function sumCalls(finished: Iterable<FinishedCalls>, latencies: readonly number[] = []): CallTotals {
  const totals = {
    calls: 0,
    retries: 0,
    splits: 0,
    singleFallbacks: 0,
    wastedTokens: 0,
    rateLimits: 0,
    settledAtReserve: 0,
    replies: 0,
    cacheHits: 0,
  };
  const known: Record<Nullable, number | null> = { inputTokens: null, outputTokens: null, costUsd: null };
  const modelIds = new Set<string>();
  let oldestCacheHit: number | null = null;
  for (const calls of finished) {
    const { n, outcome } = calls;
    if (calls.modelId !== null) modelIds.add(calls.modelId);
    if (outcome === 'answered') totals.replies += n;
    if (calls.cached) {
      totals.cacheHits += n;
      const { oldestCacheHit: oldest } = calls;
      if (oldest !== null) oldestCacheHit = Math.min(oldest, oldestCacheHit ?? oldest);
      continue;
    }
    totals.calls += n;
    if (outcome === 'retry') totals.retries += n;
    else if (outcome !== 'answered' && calls.isBatch && isWorthSplitting(outcome, calls.problem))
      totals.splits += n;
    if (calls.isRateLimit) totals.rateLimits += n;
    if (calls.isAtReserve) totals.settledAtReserve += n;
    if (calls.mode === 'single') totals.singleFallbacks += n;
    totals.wastedTokens += calls.wastedTokens;
    for (const key of Object.keys(known) as Nullable[])
      if (calls[key] !== null) known[key] = (known[key] ?? 0) + calls[key];
  }
  return { ...totals, ...known, latencies, modelIds: [...modelIds], oldestCacheHit };
}
