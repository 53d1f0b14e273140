import { approach, type PaceCurve, searchFrom } from './pace-curve.ts';
import { Spacing } from './spacing.ts';
import { type Burst, type Start, StartHistory } from './start-history.ts';

/** After a refusal no call starts for a moment, whatever the provider says. */
const PAUSE = 100;
/** What passes in a shorter time is a burst: it says little of the rate. */
const SHORTEST_SPAN = 500;
/** What passes in a shorter time than this is a burst and nothing else. */
const AT_ONCE = 100;
/** Beyond a known burst a shorter span is enough to tell a rate. */
const SHORTEST_BEYOND_BURST = 250;
const NO_BURST: Burst = { n: 0, span: 0 };
/** A burst may be all that passes in this time, and no more in a minute: limits are per second, per minute or between. */
const SHORTEST_PERIOD = 1000;
const LONGEST_PERIOD = 60_000;
/** What is aimed at, as a share of the rate at which the limit was met. */
const MARGIN = 0.98;
/** Where a rate was refused at once, how far it falls at least and at most. */
const LEAST_FALL = 0.85;
const MOST_FALL = 0.5;
/** How long it rests at the ceiling: longer with every refusal that finds the limit within `NEAR` of where it was. */
const FIRST_PLATEAU = 2000;
const LONGER = 4;
const LONGEST_PLATEAU = 20_000;
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
    const period = span + Math.min(now - at, LONGEST_PERIOD);
    const safe = (n / Math.max(SHORTEST_PERIOD, period)) * 1000;
    if (span <= AT_ONCE) this.#burst ??= { n, span };
    if (span >= SHORTEST_SPAN) this.#meet(MARGIN * Math.max(safe, this.#rateBefore(refused, cycle.index)));
    else if (this.#curve === null) this.#curve = searchFrom(safe, at - refused.at);
    else {
      const { rate } = this.#curve;
      const before = this.#rateBefore(refused, 0);
      this.#meet(Math.min(LEAST_FALL * rate, Math.max(MOST_FALL * rate, before)));
    }
    this.#spacing.restart();
    this.#use = 1;
    this.#lastStart = now;
    this.#cycle = null;
    this.#refusal = null;
  }

  #rateBefore(refused: Start, since: number): number {
    const shortest = this.#burst === null ? SHORTEST_SPAN : SHORTEST_BEYOND_BURST;
    return this.#history.rateBefore(refused, since, this.#burst ?? NO_BURST, shortest);
  }

  #meet(ceiling: number): void {
    const last = this.#curve?.ceiling ?? null;
    const isNear = last !== null && Math.abs(ceiling / last - 1) < NEAR;
    this.#plateau = isNear ? Math.min(LONGEST_PLATEAU, this.#plateau * LONGER) : FIRST_PLATEAU;
    this.#curve = approach(ceiling, this.#plateau);
    // Providers that count in windows let pass a burst but give no more for having been spared: what it is thought to be shrinks as the limit is met slowly.
    if (this.#burst !== null && last !== null)
      this.#burst = { n: this.#burst.n / 2, span: this.#burst.span / 2 };
  }
}
