/** How fast work goes, and how long the rest of it takes at that speed. */
export interface Pace {
  /** Null before the first piece of work is done. */
  readonly perSecond: number | null;
  readonly secondsLeft: number | null;
}

/**
 * The pace of this session: what an earlier one did says nothing about how fast this one is.
 *
 * @example
 * ```ts
 * pace({ left: 300, done: 100, seconds: 20 }) // => { perSecond: 5, secondsLeft: 60 }
 * ```
 */
export function pace({
  left,
  done,
  seconds,
}: {
  /** What is still to do. */
  readonly left: number;
  /** What was done in this session. */
  readonly done: number;
  /** How long this session has taken so far. */
  readonly seconds: number;
}): Pace {
  if (done <= 0 || seconds <= 0) return { perSecond: null, secondsLeft: null };
  const perSecond = done / seconds;
  return { perSecond, secondsLeft: left / perSecond };
}

/**
 * A duration as people say it, in its two largest units.
 *
 * @example
 * ```ts
 * durationText(3725) // => '1 h 02 min'
 * ```
 */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (n: number) => String(n).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  if (whole < 60) return `${whole} s`;
  if (minutes < 60) return `${minutes} min ${two(whole % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}
