import { type Fault, isFinalFault, isWorthSplitting } from '../models/index.ts';
import type { CallIntent, CallMode, CallOutcome, CallTotals, Journal, JournalRow } from './journal.ts';

interface Entry extends CallIntent {
  outcome: CallOutcome | null;
}

/** A journal that lives as long as the process: for the library, where the caller keeps the result. */
export class MemoryJournal implements Journal {
  readonly rows = new Map<string, JournalRow>();
  readonly #calls: Entry[] = [];
  readonly #ended = new Map<string, { outcome: 'answered' | Fault; left: readonly string[] }>();
  readonly #attempts = new Map<string, { n: number; lastError: string | null }>();
  #notBefore = 0;

  isDone(recordId: string, repeat: number): boolean {
    return this.rows.has(`${repeat}:${recordId}`);
  }

  ended(key: string): 'answered' | Fault | null {
    return this.#ended.get(key)?.outcome ?? null;
  }

  left(key: string): readonly string[] {
    return this.#ended.get(key)?.left ?? [];
  }

  reply(key: string): string | null {
    const call = this.#calls.findLast((made) => made.key === key && made.outcome?.outcome === 'answered');
    return call?.outcome?.rawResponse ?? null;
  }

  attempts(key: string): { n: number; lastError: string | null } {
    return this.#attempts.get(key) ?? { n: 0, lastError: null };
  }

  async begin(call: CallIntent): Promise<number> {
    return this.#calls.push({ ...call, outcome: null }) - 1;
  }

  end(callId: number, outcome: CallOutcome, rows: readonly JournalRow[]): void {
    const call = this.#calls[callId]!;
    call.outcome = outcome;
    if (outcome.outcome === 'retry')
      this.#attempts.set(call.key, { n: call.attempt + 1, lastError: outcome.error });
    else if (outcome.outcome === 'answered' || !isFinalFault(outcome.outcome)) {
      const brought = new Set(rows.map(({ recordId }) => recordId));
      const left = call.recordIds.filter((id) => !brought.has(id));
      this.#ended.set(call.key, { outcome: outcome.outcome, left });
    }
    this.enter(rows);
  }

  enter(rows: readonly JournalRow[]): void {
    for (const row of rows) this.rows.set(`${row.repeat}:${row.recordId}`, row);
  }

  notBefore(): number {
    return this.#notBefore;
  }

  waitUntil(moment: number): void {
    this.#notBefore = Math.max(this.#notBefore, moment);
  }

  totals(): CallTotals {
    const made = this.#calls.flatMap(({ outcome, mode, recordIds }) =>
      outcome === null
        ? []
        : [
            {
              ...outcome,
              n: 1,
              mode,
              isBatch: recordIds.length > 1,
              isRateLimit: outcome.error?.startsWith('rate_limit:') ?? false,
            },
          ],
    );
    return totalsOf(
      made,
      made.flatMap(({ cached, latencySeconds }) =>
        cached || latencySeconds === null ? [] : [latencySeconds],
      ),
    );
  }
}

/** Calls that ended alike, with their sums. */
export interface FinishedCalls
  extends Pick<
    CallOutcome,
    'outcome' | 'modelId' | 'inputTokens' | 'outputTokens' | 'wastedTokens' | 'costUsd'
  > {
  readonly n: number;
  readonly mode: CallMode;
  readonly isBatch: boolean;
  readonly isRateLimit: boolean;
  readonly cached: boolean;
}

/** Sums over finished calls. Tokens are null when no call said how many it took. */
export function totalsOf(finished: Iterable<FinishedCalls>, latencies: readonly number[] = []): CallTotals {
  let n = 0;
  let retries = 0;
  let splits = 0;
  let singleFallbacks = 0;
  let wastedTokens = 0;
  let rateLimits = 0;
  let inputTokens: number | null = null;
  let outputTokens: number | null = null;
  const modelIds = new Set<string>();
  let costUsd: number | null = null;
  let cacheHits = 0;
  for (const calls of finished) {
    if (calls.modelId !== null) modelIds.add(calls.modelId);
    if (calls.cached) {
      cacheHits += calls.n;
      continue;
    }
    n += calls.n;
    if (calls.outcome === 'retry') retries += calls.n;
    else if (calls.outcome !== 'answered' && calls.isBatch && isWorthSplitting(calls.outcome))
      splits += calls.n;
    if (calls.isRateLimit) rateLimits += calls.n;
    if (calls.mode === 'single') singleFallbacks += calls.n;
    if (calls.inputTokens !== null) inputTokens = (inputTokens ?? 0) + calls.inputTokens;
    if (calls.outputTokens !== null) outputTokens = (outputTokens ?? 0) + calls.outputTokens;
    wastedTokens += calls.wastedTokens;
    if (calls.costUsd !== null) costUsd = (costUsd ?? 0) + calls.costUsd;
  }
  return {
    calls: n,
    retries,
    splits,
    singleFallbacks,
    inputTokens,
    outputTokens,
    wastedTokens,
    rateLimits,
    latencies,
    modelIds: [...modelIds],
    costUsd,
    cacheHits,
  };
}
