import { KrisisError } from '../../core/errors.ts';
import { type Clock, realClock } from './clock.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { LearnedRate, SLACK, Spacing } from './learned-rate.ts';

export interface PacerOptions {
  /** Most calls at the same time: a number, or a function where it changes; 'auto' finds out. */
  readonly concurrency: number | 'auto' | (() => number);
  /** Calls per minute at most. Default: no limit. */
  readonly requestsPerMinute?: number | undefined;
  /** Tokens per minute at most. Default: no limit. */
  readonly tokensPerMinute?: number | undefined;
  /** Milliseconds for which no call may start, because the provider said so; checked before every start, also of waiting calls. */
  readonly hold?: (() => number) | undefined;
  readonly clock?: Clock | undefined;
}

export interface Permit {
  /** Says how it went, and how many tokens it really took if that is known. Every permit must be given back exactly once. */
  done(outcome: 'ok' | 'rate_limit' | 'other', tokens?: number | null): void;
}

export interface Pacer {
  /** Whether calls are paced by their tokens. */
  readonly countsTokens: boolean;
  /** Waits for a place and for its turn: first come, first served. Rejects with the signal's reason when it aborts. */
  enter(estimatedTokens: number, signal?: AbortSignal): Promise<Permit>;
  /** For display: most calls at the same time now, calls in flight, and calls per second that are allowed (null: no limit known). */
  readonly state: {
    readonly limit: number;
    readonly inFlight: number;
    readonly ratePerSecond: number | null;
  };
}

/** A larger share of refused calls, or one that has risen by so much since the pace was given free, has a limit behind it. */
const MAX_BY_CHANCE = 0.6;
const RISE = 0.25;

/** Less than this many milliseconds is no wait: a clock might not show that they have passed. */
const NO_WAIT = 1e-6;

/** A call that waits for its start. */
interface WaitingCall {
  readonly tokens: number;
  readonly letIn: (permit: Permit) => void;
}

/** Decides when each call may start: by the concurrency limit, by the limits that the user names, and by the rate that the provider's refusals teach. */
export function createPacer(options: PacerOptions): Pacer {
  expectValid(options);
  return new CallPacer(options);
}

class CallPacer implements Pacer {
  readonly #requestsPerMinute: number | undefined;
  readonly #hold: () => number;
  readonly #clock: Clock;
  readonly #limit: ConcurrencyLimit;
  #learned = new LearnedRate();
  readonly #pattern = new RefusalPattern();
  /** False while refusals seem to come by chance: then they are waited out, and the pace stays. */
  #isLearning = true;
  #shareByChance = 0;
  readonly #requests: Spacing | null;
  readonly #interval: number;
  readonly #bucket: TokenBucket | null;
  /** First come, first served. A set keeps the order, and any call can leave it. */
  readonly #line = new Set<WaitingCall>();
  #alarm: { readonly at: number; readonly off: AbortController } | null = null;

  constructor(options: PacerOptions) {
    const { concurrency, requestsPerMinute, tokensPerMinute, hold = () => 0, clock = realClock } = options;
    this.#requestsPerMinute = requestsPerMinute;
    this.#hold = hold;
    this.#clock = clock;
    this.#limit = new ConcurrencyLimit(concurrency);
    this.#requests = requestsPerMinute === undefined ? null : new Spacing();
    // The slack is taken off twice: so no minute has more starts than allowed, and at most one more where another process ended and this one began.
    this.#interval = (60_000 + 2 * SLACK) / (requestsPerMinute ?? 1);
    this.#bucket = tokensPerMinute === undefined ? null : new TokenBucket(tokensPerMinute);
  }

  get countsTokens(): boolean {
    return this.#bucket !== null;
  }

  enter(tokens: number, signal?: AbortSignal): Promise<Permit> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (!(tokens >= 0)) return Promise.reject(new RangeError(`cannot pace a call of ${tokens} tokens`));
    const now = this.#clock.now();
    if (this.#line.size === 0 && this.#limit.isFree && this.#waitFor(tokens, now) <= NO_WAIT)
      return Promise.resolve(this.#start(tokens, now));
    return new Promise((resolve, reject) => {
      const letIn = (permit: Permit) => {
        signal?.removeEventListener('abort', giveUp);
        resolve(permit);
      };
      const waiting = { tokens, letIn };
      this.#line.add(waiting);
      const giveUp = () => {
        this.#line.delete(waiting);
        reject(signal?.reason);
        // Not at once: the next in line may be about to hear the same signal.
        queueMicrotask(() => this.#serve());
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      if (this.#line.size === 1) this.#serve();
    });
  }

  get state() {
    const asked = this.#requestsPerMinute === undefined ? null : this.#requestsPerMinute / 60;
    const known = [this.#learned.perSecond, asked].filter((rate) => rate !== null);
    return {
      limit: this.#limit.limit,
      inFlight: this.#limit.inFlight,
      ratePerSecond: known.length === 0 ? null : Math.min(...known),
    };
  }

  #waitFor(tokens: number, now: number): number {
    return Math.max(
      this.#learned.wait(now),
      this.#requests?.wait(now) ?? 0,
      this.#bucket?.wait(tokens, now) ?? 0,
      this.#hold(),
    );
  }

  #start(tokens: number, now: number): Permit {
    this.#limit.acquire();
    this.#requests?.start(now, this.#interval);
    this.#bucket?.take(tokens, now);
    const by = this.#learned;
    const rate = by.perSecond ?? Number.POSITIVE_INFINITY;
    const started = by.start(now);
    let isGivenBack = false;
    return {
      done: (outcome, taken) => {
        if (isGivenBack) throw new Error('this permit was given back before');
        isGivenBack = true;
        this.#limit.release();
        if (taken != null) this.#bucket?.correct(tokens, taken);
        if (outcome === 'ok') this.#limit.success();
        this.#pattern.add({ rate, refused: outcome === 'rate_limit' });
        if (outcome !== 'rate_limit') {
          this.#serve();
          return;
        }
        this.#chooseMode();
        const at = this.#clock.now();
        if (this.#isLearning && by === this.#learned && by.refused(started, at)) this.#limit.cut(at);
        // The refused call says next how long to hold; none may start before that.
        queueMicrotask(() => this.#serve());
      },
    };
  }

  /** Learns from refusals as long as slowing down makes them rarer. */
  #chooseMode(): void {
    const { latestShare } = this.#pattern;
    const most = Math.min(MAX_BY_CHANCE, this.#shareByChance + RISE);
    if (this.#isLearning ? !this.#pattern.isUnrelatedToRate : latestShare <= most) return;
    this.#shareByChance = latestShare;
    this.#isLearning = !this.#isLearning;
    this.#learned = new LearnedRate();
    this.#pattern.clear();
    this.#limit.reopen();
  }

  /** Starts the calls that may start now, and sets a timer for the next. */
  #serve(): void {
    for (const first of this.#line) {
      if (!this.#limit.isFree) break;
      const now = this.#clock.now();
      const wait = this.#waitFor(first.tokens, now);
      if (wait > NO_WAIT) {
        this.#setAlarm(now, wait);
        return;
      }
      this.#line.delete(first);
      first.letIn(this.#start(first.tokens, now));
    }
    this.#clearAlarm();
  }

  /** One alarm serves all. One that is set for an earlier moment does no harm: it is set again then. */
  #setAlarm(now: number, wait: number): void {
    const at = now + wait;
    if (this.#alarm !== null && this.#alarm.at <= at + NO_WAIT) return;
    this.#clearAlarm();
    const mine = { at, off: new AbortController() };
    this.#alarm = mine;
    this.#clock.sleep(wait, mine.off.signal).then(
      () => {
        if (this.#alarm !== mine) return;
        this.#alarm = null;
        this.#serve();
      },
      (error: unknown) => {
        if (this.#alarm === mine) throw error;
      },
    );
  }

  #clearAlarm(): void {
    this.#alarm?.off.abort();
    this.#alarm = null;
  }
}

function expectValid({ concurrency, requestsPerMinute, tokensPerMinute }: PacerOptions): void {
  if (typeof concurrency === 'number' && !(Number.isInteger(concurrency) && concurrency >= 1))
    throw new KrisisError(`concurrency is ${concurrency}; expected a whole number, 1 or more, or auto`, {
      value: concurrency,
    });
  const limits = { 'requests per minute': requestsPerMinute, 'tokens per minute': tokensPerMinute };
  for (const [name, value] of Object.entries(limits)) {
    if (value !== undefined && !(Number.isFinite(value) && value > 0))
      throw new KrisisError(`${name} is ${value}; expected a number above 0`, { value });
  }
}

interface Call {
  /** Calls per second that were allowed when it started; infinite before a limit is known. */
  readonly rate: number;
  readonly refused: boolean;
}

/** How many calls are remembered, and how many of them make a share. */
const REMEMBERED = 256;
const MIN_SLOW = 12;
const MAX_CALLS = 24;
const MIN_FAST = 8;
/** Refusals that slowing down does not make rarer: at least this share, and not so many that a limit must be behind them. */
const MIN_SHARE = 0.15;
const MAX_SHARE = 0.5;
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
    const latest = this.#calls.slice(-MAX_CALLS);
    return latest.length < MIN_SLOW ? 0 : measureRefusals(latest);
  }

  /** True when calls are refused about as often as others were at twice their rate. */
  get isUnrelatedToRate(): boolean {
    const slow = this.#calls.slice(-MAX_CALLS);
    for (let n = MIN_SLOW; n <= slow.length; n += 4) {
      const latest = slow.slice(-n);
      const rate = latest.reduce((most, call) => Math.max(most, call.rate), 0);
      const fast = this.#calls.slice(0, -n).filter((call) => rate <= SLOWER * call.rate);
      const [slowShare, fastShare] = [measureRefusals(latest), measureRefusals(fast)];
      if (
        rate < Number.POSITIVE_INFINITY &&
        fast.length >= MIN_FAST &&
        slowShare >= MIN_SHARE &&
        Math.max(slowShare, fastShare) <= MAX_SHARE &&
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

function measureRefusals(calls: readonly Call[]): number {
  return calls.reduce((n, { refused }) => n + (refused ? 1 : 0), 0) / Math.max(1, calls.length);
}

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
