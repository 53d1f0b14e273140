/** The start of a call: when, and how many were before it. */
export interface Start {
  readonly at: number;
  readonly index: number;
}

/** What a provider let pass at once: so many calls within so many milliseconds. */
export interface Burst {
  readonly n: number;
  readonly span: number;
}

/** So many moments are remembered, at least so far apart: three seconds, or 64 starts where they are slower. */
const REMEMBERED = 64;
const APART = 50;

/** Counts starts, and remembers how many there were at recent moments. */
export class StartHistory {
  #n = 0;
  readonly #marks: Start[] = [];
  #newest = -1;

  get n(): number {
    return this.#n;
  }

  add(now: number): Start {
    const start = { at: now, index: this.#n++ };
    const newest = this.#marks[this.#newest];
    if (newest === undefined || now - newest.at >= APART) {
      this.#newest = (this.#newest + 1) % REMEMBERED;
      this.#marks[this.#newest] = start;
    }
    return start;
  }

  /**
   * The rate, in calls per second, that let pass what was started before the refused call, apart from the burst. A bucket with a rate lets pass at most burst + rate * span in any span, and exactly
   * that in the one that ends when it is empty; so it is the span that asks for the highest rate. Only spans that exceed the burst's by `shortest` milliseconds are looked at, and none that
   * begin before the start with the index `since`. 0 when there is none.
   */
  rateBefore(refused: Start, since: number, burst: Burst, shortest: number): number {
    let rate = 0;
    for (const { at, index } of this.#marks) {
      const span = refused.at - at - burst.span;
      if (index >= since && span >= shortest)
        rate = Math.max(rate, ((refused.index - index - burst.n) / span) * 1000);
    }
    return rate;
  }
}
