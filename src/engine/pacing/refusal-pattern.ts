interface Call {
  /** Calls per second that were allowed when it started; infinite before a limit is known. */
  readonly rate: number;
  readonly refused: boolean;
}

/** How many calls are remembered, and how many of them make a share. */
const REMEMBERED = 256;
const FEWEST_SLOW = 12;
const MOST_CALLS = 24;
const FEWEST_FAST = 8;
/** Refusals that slowing down does not make rarer: at least this share, and not so many that a limit must be behind them. */
const LEAST_SHARE = 0.15;
const MOST_SHARE = 0.5;
/** At most half the rate, and at least this part of the share of refusals. */
const SLOWER = 0.5;
const STILL = 0.8;

/**
 * Whether a provider refuses calls for their rate. A limit on the rate refuses fewer calls when they come more slowly; refusals by chance, by a busy server or by another user of the account do
 * not become rarer, and slowing down for them would go on until nothing moves.
 */
export class RefusalPattern {
  #calls: Call[] = [];

  add(call: Call): void {
    this.#calls.push(call);
    if (this.#calls.length > REMEMBERED) this.#calls.shift();
  }

  /** The share of refused calls among the latest. */
  get latestShare(): number {
    const latest = this.#calls.slice(-MOST_CALLS);
    return latest.length < FEWEST_SLOW ? 0 : shareOf(latest);
  }

  /** True when calls are refused about as often as others were at twice their rate. */
  get isUnrelatedToRate(): boolean {
    const slow = this.#calls.slice(-MOST_CALLS);
    for (let n = FEWEST_SLOW; n <= slow.length; n += 4) {
      const latest = slow.slice(-n);
      const rate = latest.reduce((most, call) => Math.max(most, call.rate), 0);
      const fast = this.#calls.slice(0, -n).filter((call) => rate <= SLOWER * call.rate);
      const [slowShare, fastShare] = [shareOf(latest), shareOf(fast)];
      if (
        rate < Number.POSITIVE_INFINITY &&
        fast.length >= FEWEST_FAST &&
        slowShare >= LEAST_SHARE &&
        Math.max(slowShare, fastShare) <= MOST_SHARE &&
        slowShare >= STILL * fastShare
      )
        return true;
    }
    return false;
  }

  clear(): void {
    this.#calls = [];
  }
}

function shareOf(calls: readonly Call[]): number {
  return calls.reduce((n, { refused }) => n + (refused ? 1 : 0), 0) / Math.max(1, calls.length);
}
