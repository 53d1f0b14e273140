import { type Fault, isFinalFault, isWorthSplitting } from '../backends/backend-error.ts';
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
    return totalsOf(
      this.#calls.flatMap(({ outcome, mode, recordIds }) =>
        outcome === null ? [] : [{ ...outcome, mode, nRecords: recordIds.length }],
      ),
    );
  }
}

interface FinishedCall extends Omit<CallOutcome, 'rawResponse'> {
  readonly mode: CallMode;
  readonly nRecords: number;
}

/** Sums over finished calls. Tokens are null when no call said how many it took. */
export function totalsOf(calls: Iterable<FinishedCall>): CallTotals {
  let n = 0;
  let retries = 0;
  let splits = 0;
  let singleFallbacks = 0;
  let wastedTokens = 0;
  let rateLimits = 0;
  let inputTokens: number | null = null;
  let outputTokens: number | null = null;
  const latencies: number[] = [];
  const modelIds = new Set<string>();
  let costUsd: number | null = null;
  let cacheHits = 0;
  for (const call of calls) {
    if (call.modelId !== null) modelIds.add(call.modelId);
    if (call.cached) {
      cacheHits += 1;
      continue;
    }
    n += 1;
    if (call.outcome === 'retry') retries += 1;
    else if (call.outcome !== 'answered' && call.nRecords > 1 && isWorthSplitting(call.outcome)) splits += 1;
    if (call.error?.startsWith('rate_limit:')) rateLimits += 1;
    if (call.mode === 'single') singleFallbacks += 1;
    if (call.inputTokens !== null) inputTokens = (inputTokens ?? 0) + call.inputTokens;
    if (call.outputTokens !== null) outputTokens = (outputTokens ?? 0) + call.outputTokens;
    wastedTokens += call.wastedTokens;
    if (call.costUsd !== null) costUsd = (costUsd ?? 0) + call.costUsd;
    if (call.latencySeconds !== null) latencies.push(call.latencySeconds);
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
