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
const LONGEST_FOR_CALLS = 10_000;

/**
 * The limit was met at about this rate. It begins a bit below, grows fast at first and slowly when near, is there after `plateau` milliseconds, and then probes above, slowly at first and ever
 * faster. This is the curve of CUBIC (RFC 9438), of rates instead of windows: nearly the binary search of BIC, in one formula.
 */
export function approach(ceiling: number, plateau: number): PaceCurve {
  const length = Math.max(plateau, Math.min(LONGEST_FOR_CALLS, (PLATEAU_CALLS / ceiling) * 1000));
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
