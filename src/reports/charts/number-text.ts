/** A score, a share or a confidence: three decimals, and no minus before a zero. */
export function decimals(value: number, digits = 3): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace('-', '') : text;
}

/**
 * A count with its thousands apart, the same on every machine.
 *
 * @example
 * ```ts
 * whole(1234567) // => '1,234,567'
 * ```
 */
export function whole(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** What a number rests on: `18/20` for a share, `20` for anything else. */
export function restsOn(successes: number | null | undefined, n: number): string {
  return successes == null ? whole(n) : `${whole(successes)}/${whole(n)}`;
}

/** A count where there is room for four characters. */
export function compact(count: number): string {
  if (count < 10_000) return String(count);
  return count < 1_000_000 ? `${Math.round(count / 1000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

/** The two ends of an interval; either may be missing. */
export interface Ends {
  readonly lower: number | null;
  readonly upper: number | null;
}

/** `0.812 to 0.901`; null where an end is missing. */
export function between(interval: Ends | null): string | null {
  const { lower, upper } = interval ?? { lower: null, upper: null };
  return lower === null || upper === null ? null : `${decimals(lower)} to ${decimals(upper)}`;
}

/** ` (0.812 to 0.901)` to add to a value; empty where there is no interval. */
export function bracketed(interval: Ends | null): string {
  const text = between(interval);
  return text === null ? '' : ` (${text})`;
}

/** The blank before the sign does not break. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)}\u00a0%`;
}

export function casesText(count: number): string {
  return count === 1 ? '1 case' : `${whole(count)} cases`;
}
