import { type Fault, isWorthSplitting } from '../core/fault.ts';
import { type Label, sameLabel } from '../core/label.ts';
import { readSettings } from './call.ts';
import type { Events } from './events.ts';
import { callPrefix } from './judgements.ts';
import type { Statements } from './statements.ts';
import { labelCell } from './stored-cells.ts';

/** The calls for answers. */
export const ANSWERING = { sql: "mode <> 'judge'", values: [] as string[] };

/** The calls of one configuration of a judge. */
export function callsOfJudge(config: string): typeof ANSWERING {
  const name = callPrefix(config);
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
  totals(role: 'all' | 'model' | 'judge' = 'all') {
    const conditions = { all: '1', model: ANSWERING.sql, judge: "mode = 'judge'" };
    return this.#sum({ sql: conditions[role], values: [] });
  }

  /** Sums over the finished calls of one configuration of a judge. */
  judgeTotals(config: string) {
    return this.#sum(callsOfJudge(config));
  }

  #sum({ sql, values }: typeof ANSWERING) {
    const groups = this.#sql.all(
      `SELECT outcome, problem, mode, n_records > 1 AS isBatch, error LIKE 'rate_limit:%' AS isRateLimit, model_id AS modelId, cached_at IS NOT NULL AS cached, cost_basis = 'reserve' AS isAtReserve, count(*) AS n,
      sum(input_tokens) AS inputTokens, sum(output_tokens) AS outputTokens, sum(wasted_tokens) AS wastedTokens, sum(cost_usd) AS costUsd, min(cached_at) AS oldestCacheHit
    FROM all_calls WHERE ${ENDED} AND ${sql} GROUP BY outcome, problem, mode, isBatch, isRateLimit, model_id, cached, isAtReserve ORDER BY min(id)`,
      ...values,
    );
    const latencies = this.#sql.all(
      `SELECT latency_seconds AS latency FROM all_calls WHERE latency_seconds IS NOT NULL AND cached_at IS NULL AND ${sql}`,
      ...values,
    );
    const totals = {
      calls: 0,
      retries: 0,
      splits: 0,
      singleFallbacks: 0,
      /** Calls that ended, of the kind that asks about several records, and were about one. */
      ofOneRecord: 0,
      /** Null when no call reported any; so are output tokens. */
      inputTokens: null as number | null,
      outputTokens: null as number | null,
      wastedTokens: 0,
      /** Calls that the provider turned away. */
      rateLimits: 0,
      latencies: latencies.map(({ latency }) => latency as number),
      modelIds: [...new Set(groups.flatMap(({ modelId }) => modelId ?? []))].map(String),
      /** What settled calls cost; null when no call had a price. */
      costUsd: null as number | null,
      /** Calls whose cost is what was set aside for them, because the provider reported no usage that can be true. */
      settledAtReserve: 0,
      /** Replies from the cache, which are not among the calls. */
      cacheHits: 0,
      /** When the oldest of them was given, in seconds since 1970; null where there are none, or the file does not say. */
      oldestCacheHit: null as number | null,
      /** Calls that were answered, and replies from the cache. */
      replies: 0,
    };
    for (const { outcome, problem, mode, isBatch, isRateLimit, cached, isAtReserve, ...sums } of groups) {
      const n = Number(sums.n);
      if (outcome === 'answered') totals.replies += n;
      if (cached) {
        totals.cacheHits += n;
        const oldest = sums.oldestCacheHit as number | null;
        if (oldest !== null) totals.oldestCacheHit = Math.min(oldest, totals.oldestCacheHit ?? oldest);
        continue;
      }
      totals.calls += n;
      if (outcome === 'retry') totals.retries += n;
      else if (
        outcome !== 'answered' &&
        isBatch &&
        isWorthSplitting(outcome as Fault, problem as string | null)
      )
        totals.splits += n;
      if (isRateLimit) totals.rateLimits += n;
      if (isAtReserve) totals.settledAtReserve += n;
      if (mode === 'single') totals.singleFallbacks += n;
      if (mode === 'batch' && !isBatch && outcome !== 'retry') totals.ofOneRecord += n;
      totals.wastedTokens += Number(sums.wastedTokens);
      for (const key of ['inputTokens', 'outputTokens', 'costUsd'] as const)
        if (sums[key] !== null) totals[key] = (totals[key] ?? 0) + Number(sums[key]);
    }
    return totals;
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
  settings() {
    const rows = this.#sql.all(
      "SELECT settings, count(*) AS n FROM calls WHERE settings IS NOT NULL AND mode <> 'judge' GROUP BY settings ORDER BY min(seq)",
    );
    return rows.map(({ settings, n }) => ({
      settings: readSettings(this.#sql, settings) ?? {},
      nCalls: Number(n),
    }));
  }

  /** How calls were made, where not all were requests of the process that wrote the run, with how many were and how many of them failed. */
  made() {
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

  /** The rows that each worker's calls brought, those of records with a label, and right answers among them; empty where the process that wrote the run made all calls. Rows that failed belong to no call. */
  rowsByWorker() {
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

  /** What the run has cost so far, in US dollars; what was set aside up to the last call that was released does not count. */
  spent() {
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
      /** Set aside for calls that have no outcome, and not released. */
      unsettledUsd: Number(unsettled?.usd ?? 0),
      nUnsettled: Number(unsettled?.n ?? 0),
      /** The most that a call cost in relation to what was set aside for it; null where none was settled by its usage. */
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

/** Sums over finished calls. */
export type CallTotals = ReturnType<CallSums['totals']>;
