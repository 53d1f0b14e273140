import { KrisisError } from '../core/errors.ts';
import type { TokenUsage } from '../core/text-request.ts';
import type { Backend } from '../models/backend.ts';
import { ownError } from '../models/backend-error.ts';
import type { CostBasis } from '../store/call.ts';
import { MAX_OVERRUN } from './token-sums.ts';

/** What a run has cost in earlier processes, in US dollars. */
export interface SpentBefore {
  /** What calls cost whose outcome is known. */
  readonly settledUsd: number;
  /** What was set aside for calls whose outcome was never known, because the process was killed. Each may have been charged. */
  readonly unsettledUsd: number;
  /** The most that a call cost in relation to what was set aside for it; null where none was settled by its usage. */
  readonly worstRatio: number | null;
}

/** Money that is set aside for a call. */
export interface Reservation {
  readonly model: string;
  readonly usd: number;
}

/** What is known about the calls to one model. */
interface Pace {
  /** How many times over a call took what it should take at most: later ones may do the same. */
  overrun: number;
  inFlight: number;
  /** Whether a call was paid for: until then one goes out at a time. */
  hasPaid: boolean;
}

/**
 * Keeps a run within its budget: `spent + unsettled + set aside + next call at its most <= budget` holds before every call. Where calls in flight leave too little room, the next one waits
 * for them; when none is in flight and there is still no room, the run stops. A model that takes more than it was allowed has more set aside from then on; its first call goes out alone,
 * so that a model which always does is noticed before many calls are in flight.
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
  readonly #overrunBefore: number;
  readonly #paces = new Map<string, Pace>();

  constructor(budgetUsd: number, before: SpentBefore) {
    this.#budget = budgetUsd;
    this.#settled = before.settledUsd;
    this.#unsettled = before.unsettledUsd;
    this.#overrunBefore = Math.min(MAX_OVERRUN, Math.max(1, before.worstRatio ?? 1));
  }

  /** Sets aside the most that a call can cost; `settle` releases it. */
  async reserve(model: string, mostUsd: number, signal?: AbortSignal): Promise<Reservation> {
    const pace = this.#findPace(model);
    for (;;) {
      signal?.throwIfAborted();
      const isFree = pace.hasPaid || pace.inFlight === 0;
      const usd = mostUsd * pace.overrun;
      if (isFree && this.#hasRoom(usd)) return this.#setAside(model, usd);
      if (isFree && this.#inFlight === 0) throw ownError('budget', this.#usedUp(usd, pace.overrun));
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  /** Sets aside the cost of a reply that was paid for when it was asked for, whether or not there is room. */
  reservePaid(model: string, mostUsd: number): Reservation {
    return this.#setAside(model, mostUsd);
  }

  #setAside(model: string, usd: number): Reservation {
    this.#reserved += usd;
    this.#inFlight += 1;
    this.#findPace(model).inFlight += 1;
    return { model, usd };
  }

  #findPace(model: string): Pace {
    const pace = this.#paces.get(model) ?? { overrun: this.#overrunBefore, inFlight: 0, hasPaid: false };
    this.#paces.set(model, pace);
    return pace;
  }

  #hasRoom(usd: number): boolean {
    return this.#settled + this.#unsettled + this.#reserved + this.#held + usd <= this.#budget;
  }

  /** Releases what was set aside for a call, and adds what it cost. `costUsd` is null for a call that was turned away or not made. */
  settle({ model, usd }: Reservation, costUsd: number | null, overrun = 1): void {
    const pace = this.#findPace(model);
    pace.inFlight -= 1;
    pace.hasPaid ||= costUsd !== null;
    pace.overrun = Math.max(pace.overrun, overrun);
    this.#inFlight -= 1;
    // Rounding errors must not add up over a long run.
    this.#reserved = this.#inFlight === 0 ? 0 : this.#reserved - usd;
    this.#settled += costUsd ?? 0;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** The most that a request can cost, by what earlier calls to the model took. */
  mostFor(model: string, mostUsd: number): number {
    return mostUsd * this.#findPace(model).overrun;
  }

  /** Sets aside money for a request that is answered much later; false, and nothing is set aside, where there is no room for it. */
  hold(mostUsd: number): boolean {
    if (!this.#hasRoom(mostUsd)) return false;
    this.#held += mostUsd;
    return true;
  }

  releaseHeld(heldUsd: number): void {
    this.#held = Math.max(0, this.#held - heldUsd);
    for (const resume of this.#waiting.splice(0)) resume();
  }

  #usedUp(mostUsd: number, overrun: number): string {
    const left = Math.max(0, this.#budget - this.#settled - this.#unsettled);
    const unsettled =
      this.#unsettled === 0
        ? ''
        : `, ${dollars(this.#unsettled)} reserved for calls of an earlier process whose outcome is unknown`;
    const why =
      overrun > 1
        ? ` (an earlier call took ${overrun.toFixed(1)} times the tokens that it should take at most)`
        : '';
    return `the budget of ${dollars(this.#budget)} is used up: ${dollars(this.#settled)} spent${unsettled}, ${dollars(left)} left, and the next call can cost up to ${dollars(mostUsd)}${why}; raise the budget to continue`;
  }
}

/** What a call cost: by its usage, or by what was set aside where no usage was reported that can be true. */
export function settledCost(
  call: {
    readonly usage: TokenUsage;
    /** Whether the reply contains text, which takes at least one token. */
    readonly hasText: boolean;
    /** Whether the provider did no work that it charges for. */
    readonly unbilled: boolean;
  },
  reservedUsd: number | null,
  cost: Backend['cost'],
): { readonly costUsd: number | null; readonly costBasis: CostBasis | null } {
  const { inputTokens, outputTokens } = call.usage;
  const isTrue = Boolean(inputTokens) && outputTokens !== null && (outputTokens > 0 || !call.hasText);
  const byUsage = isTrue ? (cost?.(call.usage) ?? null) : null;
  if (byUsage !== null) return { costUsd: byUsage, costBasis: 'usage' };
  if (reservedUsd === null) return { costUsd: null, costBasis: null };
  return call.unbilled
    ? { costUsd: 0, costBasis: 'nothing' }
    : { costUsd: reservedUsd, costBasis: 'reserve' };
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
