import { KrisisError, type TokenUsage } from '../core/index.ts';
import { type Backend, ownError } from '../models/index.ts';
import type { CostBasis } from '../store/index.ts';

/** What a run has cost in earlier processes, in US dollars. */
export interface SpentBefore {
  /** What calls cost whose outcome is known. */
  readonly settledUsd: number;
  /** What was set aside for calls whose outcome was never known, because the process was killed. Each may have been charged. */
  readonly unsettledUsd: number;
}

/**
 * Keeps a run within its budget: `spent + unsettled + set aside + next call at its most <= budget` holds before every call. Where calls in flight leave too little room, the next one waits
 * for them; when none is in flight and there is still no room, the run stops.
 */
export class Spending {
  readonly #budget: number;
  readonly #unsettled: number;
  #settled: number;
  #reserved = 0;
  /** Set aside for requests that are with a provider in bulk jobs. */
  #held = 0;
  #inFlight = 0;
  #waiting: (() => void)[] = [];

  constructor(budgetUsd: number, before: SpentBefore) {
    this.#budget = budgetUsd;
    this.#settled = before.settledUsd;
    this.#unsettled = before.unsettledUsd;
  }

  /** Sets aside the most that a call can cost; `settle` releases it. */
  async reserve(mostUsd: number, signal?: AbortSignal): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.#settled + this.#unsettled + this.#reserved + this.#held + mostUsd <= this.#budget) break;
      if (this.#inFlight === 0) throw ownError('budget', this.#usedUp(mostUsd));
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    this.#reserved += mostUsd;
    this.#inFlight += 1;
  }

  /** Releases what was set aside for a call, and adds what it cost. */
  settle(reservedUsd: number, costUsd: number): void {
    this.#inFlight -= 1;
    // Rounding errors must not add up over a long run.
    this.#reserved = this.#inFlight === 0 ? 0 : this.#reserved - reservedUsd;
    this.#settled += costUsd;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** Sets aside money for a request that is answered much later; false, and nothing is set aside, where there is no room for it. */
  hold(mostUsd: number): boolean {
    if (this.#settled + this.#unsettled + this.#reserved + this.#held + mostUsd > this.#budget) return false;
    this.#held += mostUsd;
    return true;
  }

  letGo(heldUsd: number): void {
    this.#held = Math.max(0, this.#held - heldUsd);
    for (const resume of this.#waiting.splice(0)) resume();
  }

  #usedUp(mostUsd: number): string {
    const left = Math.max(0, this.#budget - this.#settled - this.#unsettled);
    const unsettled =
      this.#unsettled === 0
        ? ''
        : `, ${dollars(this.#unsettled)} unsettled (set aside for calls of an earlier start whose outcome is not known)`;
    return `the budget of ${dollars(this.#budget)} is used up: ${dollars(this.#settled)} spent${unsettled}, ${dollars(left)} left, and the next call can cost up to ${dollars(mostUsd)}; raise the budget to continue`;
  }
}

/** A count that is so many times the most a call can take is an error of the provider, not a bill. */
const ABSURD = 10;

/** What a call cost: by the usage reported where that can be true, by what was set aside where not. */
export function settledCost(
  call: {
    readonly usage: TokenUsage;
    /** Whether the reply contains text, which takes at least one token. */
    readonly hasText: boolean;
    /** Whether the provider did no work that it charges for. */
    readonly unbilled: boolean;
  },
  most: TokenUsage | null,
  reservedUsd: number | null,
  cost: Backend['cost'],
): { readonly costUsd: number | null; readonly costBasis: CostBasis | null } {
  const { inputTokens, outputTokens } = call.usage;
  const isTrue =
    isCount(inputTokens, most?.inputTokens) &&
    isCount(outputTokens, most?.outputTokens) &&
    inputTokens! > 0 &&
    (outputTokens! > 0 || !call.hasText);
  const byUsage = isTrue ? (cost?.(call.usage) ?? null) : null;
  if (byUsage !== null) return { costUsd: byUsage, costBasis: 'usage' };
  if (reservedUsd === null) return { costUsd: null, costBasis: null };
  return call.unbilled
    ? { costUsd: 0, costBasis: 'nothing' }
    : { costUsd: reservedUsd, costBasis: 'reserve' };
}

function isCount(tokens: number | null, most: number | null | undefined): boolean {
  return tokens !== null && tokens >= 0 && tokens <= ABSURD * (most ?? Number.MAX_VALUE);
}

/** Refuses a budget that could not be kept: for a model whose price is unknown, or that does not say the most a call can take. */
export function checkPrice({ name, cost, maxTokens, maxTextTokens }: Backend): void {
  const probe: TokenUsage = { inputTokens: 1, outputTokens: 1 };
  if (cost === undefined || cost(probe) === null)
    throw new KrisisError(
      `${name}: its price is not known, so a budget cannot be kept; name a price in US dollars per million tokens, or leave the budget out`,
      { code: 'ERR_PRICE_UNKNOWN', value: name },
    );
  if (maxTokens === undefined && maxTextTokens === undefined)
    throw new KrisisError(
      `${name}: it does not say how many tokens a call can take at most (maxTokens), so a budget cannot be kept`,
      { code: 'ERR_COST_UNBOUNDED', value: name },
    );
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount < 1 ? 4 : 2)}`;
}
