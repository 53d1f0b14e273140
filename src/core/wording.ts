/**
 * A number with its noun.
 *
 * @example
 * ```ts
 * counted(1, 'row') // => '1 row'
 * counted(0, 'row') // => '0 rows'
 * ```
 */
export function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** `2026-03-01T12:30:00.000Z` as people write it; anything else as it is. */
export function dateText(date: string | null): string {
  if (date === null) return 'not stated';
  const iso = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z$/.exec(date);
  return iso === null ? date : `${iso[1]} ${iso[2]} UTC`;
}

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
