const AUTO_START = 8;
/** A single process gains nothing from more calls at the same time. */
const AUTO_CAP = 64;

/** How many workers keep the concurrency limit busy. */
export function nWorkers(
  maxConcurrency: number | 'auto',
  places?: (() => number) | undefined,
): number | (() => number) {
  if (places === undefined) return maxConcurrency === 'auto' ? AUTO_CAP : maxConcurrency;
  return maxConcurrency === 'auto' ? places : () => Math.min(maxConcurrency, places());
}

/** Milliseconds between two cuts: refusals of one burst count once. */
const BETWEEN_CUTS = 1000;

/**
 * How many calls may be in flight at the same time: a number, fixed or decided elsewhere, or `auto`. That doubles with every round (as many successes as the limit) until the provider first refuses a call. From
 * then on a refusal halves it, and a round goes half of the way back to where that happened, by one when near, and by ever more when past it.
 */
export class ConcurrencyLimit {
  readonly #isAuto: boolean;
  /** A limit that is decided elsewhere. */
  readonly #given: (() => number) | null;
  #limit: number;
  #inFlight = 0;
  #nClean = 0;
  #lastCut: { readonly at: number; readonly limit: number } | null = null;

  constructor(concurrency: number | 'auto' | (() => number)) {
    this.#isAuto = concurrency === 'auto';
    this.#given = typeof concurrency === 'function' ? concurrency : null;
    this.#limit = typeof concurrency === 'number' ? concurrency : AUTO_START;
  }

  get limit(): number {
    return this.#given?.() ?? this.#limit;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get isFree(): boolean {
    return this.#inFlight < this.limit;
  }

  acquire(): void {
    this.#inFlight += 1;
  }

  release(): void {
    this.#inFlight -= 1;
  }

  /** A call succeeded. */
  success(): void {
    if (!this.#isAuto) return;
    this.#nClean += 1;
    if (this.#nClean < this.#limit) return;
    this.#nClean = 0;
    this.#limit = Math.min(AUTO_CAP, this.#limit + Math.max(1, Math.floor(this.#step())));
  }

  #step(): number {
    if (this.#lastCut === null) return this.#limit;
    const beyond = this.#limit - this.#lastCut.limit;
    return beyond < 0 ? -beyond / 2 : beyond;
  }

  /** Forgets earlier refusals: they were not about the number of calls. */
  reopen(): void {
    if (!this.#isAuto) return;
    this.#lastCut = null;
    this.#nClean = 0;
    this.#limit = Math.max(this.#limit, AUTO_START);
  }

  /** The provider refused a call. Calls in flight continue; none starts until they fit. */
  cut(now: number): void {
    if (!this.#isAuto) return;
    this.#nClean = 0;
    if (this.#lastCut !== null && now - this.#lastCut.at < BETWEEN_CUTS) return;
    this.#lastCut = { at: now, limit: this.#limit };
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
  }
}
