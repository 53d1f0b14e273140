/** The start of a call: when, and how many were before it. */
export interface Start {
  readonly at: number;
  readonly index: number;
}

/** What a provider let pass at once: so many calls within so many milliseconds. */
interface Burst {
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

/** After a refusal no call starts for a moment, whatever the provider says. */
const PAUSE = 100;
/** What passes in a shorter time is a burst: it says little of the rate. */
const MIN_SPAN = 500;
/** What passes in a shorter time than this is a burst and nothing else. */
const AT_ONCE = 100;
/** Beyond a known burst a shorter span is enough to tell a rate. */
const MIN_BEYOND_BURST = 250;
const NO_BURST: Burst = { n: 0, span: 0 };
/** A burst may be all that passes in this time, and no more in a minute: limits are per second, per minute or between. */
const MIN_PERIOD = 1000;
const MAX_PERIOD = 60_000;
/** What is aimed at, as a share of the rate at which the limit was met. */
const MARGIN = 0.98;
/** Where a rate was refused at once, how far it falls at least and at most. */
const MIN_FALL = 0.85;
const MAX_FALL = 0.5;
/** How long it rests at the ceiling: longer with every refusal that finds the limit within `NEAR` of where it was. */
const FIRST_PLATEAU = 2000;
const LONGER = 4;
const MAX_PLATEAU = 20_000;
const NEAR = 0.1;
/** Half of what is known about how much the rate is used is of the last so many milliseconds. */
const USE_MEMORY = 250;

/**
 * The rate that a provider allows, learned from its refusals (429). Before the first there is none. Times are milliseconds, rates are calls per second.
 *
 * What counts is when calls start: that is when a provider counts them, and it is known at once, while answers come late. A cycle is the time between two refusals, without the silence after the
 * first, in which no call may start.
 */
export class LearnedRate {
  readonly #history = new StartHistory();
  readonly #spacing = new Spacing();
  #curve: PaceCurve | null = null;
  #plateau = FIRST_PLATEAU;
  #burst: Burst | null = null;
  /** The first start of the cycle. */
  #cycle: Start | null = null;
  #lastStart = 0;
  /** The share of time in which the curve held calls back. */
  #use = 1;
  /** The last refusal, until the silence after it is over. */
  #refusal: { readonly start: Start; readonly at: number } | null = null;
  #nBeforeRefusal = 0;

  get perSecond(): number | null {
    return this.#curve?.rate ?? null;
  }

  /** Milliseconds until the next start is due. */
  wait(now: number): number {
    const spaced = this.#spacing.wait(now);
    return this.#refusal === null ? spaced : Math.max(spaced, this.#refusal.at + PAUSE - now);
  }

  start(now: number): Start {
    const start = this.#history.add(now);
    if (this.#refusal !== null) this.#learn(this.#refusal, now);
    this.#cycle ??= start;
    if (this.#curve !== null) this.#advance(this.#curve, now);
    return start;
  }

  /** Returns whether this is a new refusal: calls that were in flight when the first was refused belong to that one. */
  refused(start: Start, now: number): boolean {
    if (start.index < this.#nBeforeRefusal) return false;
    this.#nBeforeRefusal = this.#history.n;
    this.#refusal = { start, at: now };
    return true;
  }

  /** The rate grows only while it is what holds calls back: an unused rate proves nothing. */
  #advance(curve: PaceCurve, now: number): void {
    const wasHeld = this.#spacing.start(now, 1000 / curve.rate);
    const elapsed = now - this.#lastStart;
    const old = 2 ** (-elapsed / USE_MEMORY);
    this.#use = this.#use * old + (wasHeld ? 1 - old : 0);
    this.#lastStart = now;
    if (wasHeld && this.#use > 0.5) curve.advance(elapsed);
  }

  /** At the first start after a refusal, when it is known how long the silence was. */
  #learn({ start: refused, at }: { readonly start: Start; readonly at: number }, now: number): void {
    const cycle = this.#cycle ?? refused;
    const n = Math.max(1, refused.index - cycle.index);
    const span = refused.at - cycle.at;
    const period = span + Math.min(now - at, MAX_PERIOD);
    const safe = (n / Math.max(MIN_PERIOD, period)) * 1000;
    if (span <= AT_ONCE) this.#burst ??= { n, span };
    if (span >= MIN_SPAN) this.#meet(MARGIN * Math.max(safe, this.#rateBefore(refused, cycle.index)));
    else if (this.#curve === null) this.#curve = searchFrom(safe, at - refused.at);
    else {
      const { rate } = this.#curve;
      const before = this.#rateBefore(refused, 0);
      this.#meet(Math.min(MIN_FALL * rate, Math.max(MAX_FALL * rate, before)));
    }
    this.#spacing.restart();
    this.#use = 1;
    this.#lastStart = now;
    this.#cycle = null;
    this.#refusal = null;
  }

  #rateBefore(refused: Start, since: number): number {
    const shortest = this.#burst === null ? MIN_SPAN : MIN_BEYOND_BURST;
    return this.#history.rateBefore(refused, since, this.#burst ?? NO_BURST, shortest);
  }

  #meet(ceiling: number): void {
    const last = this.#curve?.ceiling ?? null;
    const isNear = last !== null && Math.abs(ceiling / last - 1) < NEAR;
    this.#plateau = isNear ? Math.min(MAX_PLATEAU, this.#plateau * LONGER) : FIRST_PLATEAU;
    this.#curve = approach(ceiling, this.#plateau);
    // Providers that count in windows let pass a burst but give no more for having been spared: what it is thought to be shrinks as the limit is met slowly.
    if (this.#burst !== null && last !== null)
      this.#burst = { n: this.#burst.n / 2, span: this.#burst.span / 2 };
  }
}

/** A rate, in calls per second, that grows with the milliseconds in which it is used. */
export interface PaceCurve {
  readonly rate: number;
  /** Where the limit was met; null as long as that is not known. */
  readonly ceiling: number | null;
  advance(milliseconds: number): void;
}

/** Doubling takes so long at least, and so many calls. */
const DOUBLING = 300;
const DOUBLING_CALLS = 2;

/** Nothing is known but a rate that is safe: it doubles until a call is refused, not faster than refusals come back. */
export function searchFrom(safe: number, latency: number): PaceCurve {
  const doubling = Math.max(DOUBLING, latency);
  let rate = safe;
  return {
    ceiling: null,
    get rate() {
      return rate;
    },
    advance(milliseconds) {
      rate *= 2 ** (milliseconds / Math.max(doubling, (DOUBLING_CALLS / rate) * 1000));
    },
  };
}

/** How far below the ceiling it begins, as a share of it. */
const DROP = 0.1;
/** A plateau is at least so many calls long, up to this time: a provider that was only busy for a while must not be spared for minutes. */
const PLATEAU_CALLS = 10;
const MAX_FOR_CALLS = 10_000;

/**
 * The limit was met at about this rate. It begins a bit below, grows fast at first and slowly when near, is there after `plateau` milliseconds, and then probes above, slowly at first and ever
 * faster. This is the curve of CUBIC (RFC 9438), of rates instead of windows: nearly the binary search of BIC, in one formula.
 */
export function approach(ceiling: number, plateau: number): PaceCurve {
  const length = Math.max(plateau, Math.min(MAX_FOR_CALLS, (PLATEAU_CALLS / ceiling) * 1000));
  let used = 0;
  return {
    ceiling,
    get rate() {
      return ceiling * (1 + DROP * (used / length - 1) ** 3);
    },
    advance(milliseconds) {
      used += milliseconds;
    },
  };
}

/** A timer that comes late is made up for within this many milliseconds; idle time beyond it is lost, so that no burst can be saved up. */
export const SLACK = 10;

/** Even spacing: starts with an interval of i milliseconds are so far apart that any k + 1 of them span at least k * i - SLACK. */
export class Spacing {
  #due: number | null = null;

  /** Milliseconds until the next start is due. */
  wait(now: number): number {
    return this.#due === null ? 0 : this.#due - now;
  }

  /** A start, and how long the next has to wait for it. Returns whether the spacing had held it back. */
  start(now: number, interval: number): boolean {
    const wasHeld = this.#due !== null && this.#due >= now - SLACK;
    this.#due = (this.#due === null ? now : Math.max(this.#due, now - SLACK)) + interval;
    return wasHeld;
  }

  /** The next start is due at once, and nothing is made up for. */
  restart(): void {
    this.#due = null;
  }
}
