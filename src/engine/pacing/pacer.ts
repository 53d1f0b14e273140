import { KrisisError } from '../../core/index.ts';
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

/** Decides when each call may start: by the concurrency limit, by the limits that the user names, and by the rate that the provider's refusals teach. */
export function createPacer(options: PacerOptions): Pacer {
  expectValid(options);
  const { concurrency, requestsPerMinute, tokensPerMinute, hold, clock = realClock } = options;
  const limit = new ConcurrencyLimit(concurrency);
  let learned = new LearnedRate();
  const pattern = new RefusalPattern();
  /** False while refusals seem to come by chance: then they are waited out, and the pace stays. */
  let isLearning = true;
  let shareByChance = 0;
  const requests = requestsPerMinute === undefined ? null : new Spacing();
  // The slack is taken off twice: so no minute has more starts than allowed, and at most one more where another process ended and this one began.
  const interval = (60_000 + 2 * SLACK) / (requestsPerMinute ?? 1);
  const bucket = tokensPerMinute === undefined ? null : new TokenBucket(tokensPerMinute);
  /** Waiting calls: first come, first served. A set keeps the order, and any call can leave it. */
  const line = new Set<{ readonly tokens: number; readonly letIn: (permit: Permit) => void }>();
  const firstInLine = () => line.values().next().value;
  let alarm: { readonly at: number; readonly off: AbortController } | null = null;

  const waitOf = (tokens: number, now: number): number =>
    Math.max(
      learned.wait(now),
      requests === null ? 0 : requests.wait(now),
      bucket === null ? 0 : bucket.wait(tokens, now),
      hold === undefined ? 0 : hold(),
    );

  const start = (tokens: number, now: number): Permit => {
    limit.acquire();
    requests?.start(now, interval);
    bucket?.take(tokens, now);
    const by = learned;
    const rate = by.perSecond ?? Number.POSITIVE_INFINITY;
    const started = by.start(now);
    let isGivenBack = false;
    return {
      done(outcome, taken) {
        if (isGivenBack) throw new Error('this permit was given back before');
        isGivenBack = true;
        limit.release();
        if (taken != null) bucket?.correct(tokens, taken);
        if (outcome === 'ok') limit.success();
        pattern.add({ rate, refused: outcome === 'rate_limit' });
        if (outcome !== 'rate_limit') {
          serve();
          return;
        }
        chooseMode();
        const at = clock.now();
        if (isLearning && by === learned && learned.refused(started, at)) limit.cut(at);
        // The refused call says next how long to hold; none may start before that.
        queueMicrotask(serve);
      },
    };
  };

  /** Learns from refusals as long as slowing down makes them rarer. */
  const chooseMode = (): void => {
    const most = Math.min(MAX_BY_CHANCE, shareByChance + RISE);
    if (isLearning ? !pattern.isUnrelatedToRate : pattern.latestShare <= most) return;
    shareByChance = pattern.latestShare;
    isLearning = !isLearning;
    learned = new LearnedRate();
    pattern.clear();
    limit.reopen();
  };

  /** Starts the calls that may start now, and sets a timer for the next. */
  const serve = (): void => {
    for (let first = firstInLine(); first !== undefined && limit.isFree; first = firstInLine()) {
      const { tokens, letIn } = first;
      const now = clock.now();
      const wait = waitOf(tokens, now);
      if (wait > NO_WAIT) {
        setAlarm(now, wait);
        return;
      }
      line.delete(first);
      letIn(start(tokens, now));
    }
    clearAlarm();
  };

  /** One alarm serves all. One that is set for an earlier moment does no harm: it is set again then. */
  const setAlarm = (now: number, wait: number): void => {
    const at = now + wait;
    if (alarm !== null && alarm.at <= at + NO_WAIT) return;
    clearAlarm();
    const mine = { at, off: new AbortController() };
    alarm = mine;
    clock.sleep(wait, mine.off.signal).then(
      () => {
        if (alarm !== mine) return;
        alarm = null;
        serve();
      },
      (error: unknown) => {
        if (alarm === mine) throw error;
      },
    );
  };

  const clearAlarm = (): void => {
    alarm?.off.abort();
    alarm = null;
  };

  return {
    enter(tokens, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (!(tokens >= 0)) return Promise.reject(new RangeError(`cannot pace a call of ${tokens} tokens`));
      const now = clock.now();
      if (line.size === 0 && limit.isFree && waitOf(tokens, now) <= NO_WAIT)
        return Promise.resolve(start(tokens, now));
      return new Promise((resolve, reject) => {
        const letIn = (permit: Permit) => {
          signal?.removeEventListener('abort', giveUp);
          resolve(permit);
        };
        const waiting = { tokens, letIn };
        line.add(waiting);
        const giveUp = () => {
          line.delete(waiting);
          reject(signal?.reason);
          // Not at once: the next in line may be about to hear the same signal.
          queueMicrotask(serve);
        };
        signal?.addEventListener('abort', giveUp, { once: true });
        if (line.size === 1) serve();
      });
    },
    get state() {
      const asked = requestsPerMinute === undefined ? null : requestsPerMinute / 60;
      const known = [learned.perSecond, asked].filter((rate) => rate !== null);
      return {
        limit: limit.limit,
        inFlight: limit.inFlight,
        ratePerSecond: known.length === 0 ? null : Math.min(...known),
      };
    },
  };
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
    return latest.length < MIN_SLOW ? 0 : shareOf(latest);
  }

  /** True when calls are refused about as often as others were at twice their rate. */
  get isUnrelatedToRate(): boolean {
    const slow = this.#calls.slice(-MAX_CALLS);
    for (let n = MIN_SLOW; n <= slow.length; n += 4) {
      const latest = slow.slice(-n);
      const rate = latest.reduce((most, call) => Math.max(most, call.rate), 0);
      const fast = this.#calls.slice(0, -n).filter((call) => rate <= SLOWER * call.rate);
      const [slowShare, fastShare] = [shareOf(latest), shareOf(fast)];
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

function shareOf(calls: readonly Call[]): number {
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
