import type { MetricScore, NullBand, Scorecard } from '../../metrics/index.ts';
import { decimals, percent } from '../charts/index.ts';

/** Stands where there is no number. */
export const DASH = '–';

/** A code as words: `no_usable_confidence`. */
export function inWords(code: string): string {
  return code.replaceAll('_', ' ');
}

/** Why there is no number. */
export function why(reason: string | null): string {
  return reason === null ? 'no reason given' : inWords(reason);
}

export function number(value: number | null): string {
  return value === null ? DASH : decimals(value);
}

export function range(interval: { readonly lower: number; readonly upper: number } | null): string {
  return interval === null ? DASH : `${decimals(interval.lower)} to ${decimals(interval.upper)}`;
}

/** Money: cents, and more of them below a dollar. */
export function costText(usd: number): string {
  return `${usd.toFixed(usd < 1 ? 4 : 2)} US dollars`;
}

/** `0.95` is `95 %`. */
export function levelText(level: number): string {
  return `${Math.round(level * 1000) / 10} %`;
}

export function scoreOf(card: Scorecard, name: string): MetricScore | undefined {
  return card.scores.find((score) => score.name === name);
}

/** What chance alone gives as calibration error. Details of an imported score may hold anything. */
export function nullBandOf({ details }: MetricScore): NullBand | null {
  const band = details.null_band as Partial<NullBand> | null | undefined;
  return typeof band?.ece_null_mean === 'number' && typeof band.ece_null_p95 === 'number'
    ? (band as NullBand)
    : null;
}

export function share(count: number, of: number): string {
  return of === 0 ? DASH : percent(count / of);
}

/** A label or the name of a group: from data, so it may be a whole text. */
export function shortName(name: string): string {
  return cut(name, 120);
}

/** Text that could be of any length, cut where nobody reads on, and saying so. */
export function cut(text: string, length: number): string {
  return text.length <= length
    ? text
    : `${text.slice(0, length)} … (cut here: ${text.length - length} more characters are in the run file)`;
}
