/** The bucket holds at most what this many milliseconds bring. */
const HOLDS = 10_000;

/**
 * Tokens per minute, filled evenly. The first call finds just what it needs and nothing more, since what was used before this process began is unknown. A call that is larger than the
 * bucket waits until it is full and leaves it in debt.
 */
export class TokenBucket {
  readonly #perMillisecond: number;
  readonly #size: number;
  /** Null before the first call. */
  #level: number | null = null;
  #filledAt = 0;

  constructor(perMinute: number) {
    this.#perMillisecond = perMinute / 60_000;
    this.#size = this.#perMillisecond * HOLDS;
  }

  /** Milliseconds until a call of so many tokens may start. */
  wait(tokens: number, now: number): number {
    if (this.#level === null) return 0;
    const missing = Math.min(tokens, this.#size) - this.#fill(this.#level, now);
    return Math.max(0, missing / this.#perMillisecond);
  }

  take(tokens: number, now: number): void {
    this.#level = this.#level === null ? 0 : this.#fill(this.#level, now) - tokens;
    this.#filledAt = now;
  }

  /** What a call really took is known now. */
  correct(estimated: number, taken: number): void {
    if (this.#level !== null) this.#level += estimated - taken;
  }

  #fill(level: number, now: number): number {
    return Math.min(this.#size, level + (now - this.#filledAt) * this.#perMillisecond);
  }
}
