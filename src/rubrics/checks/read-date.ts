import { normalised } from '../normalised-text.ts';

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

/** A day as milliseconds since 1970, or why a text is not one. */
export type ReadDate =
  | { readonly ok: true; readonly day: number }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads a date: 2024-03-15, 15 March 2024, March 15th, 2024, 15.03.2024. A date with slashes is read where only one order of day and month is possible.
 *
 * @example
 * ```ts
 * readDate('15 March 2024') // => { ok: true, day: Date.UTC(2024, 2, 15) }
 * readDate('03/04/2024') // => { ok: false, reason: 'ambiguous_date' }
 * readDate('30 February 2024') // => { ok: false, reason: 'not_a_date' }
 * ```
 */
export function readDate(text: string): ReadDate {
  const folded = normalised(text, 'flat', 'quote')
    .text.trim()
    .replace(/[.,;:!?]+$/, '');
  const no = { ok: false, reason: 'not_a_date' } as const;
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(folded);
  if (iso) return day(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(folded);
  if (dotted) return day(Number(dotted[3]), Number(dotted[2]), Number(dotted[1]));
  const slashed = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(folded);
  if (slashed) {
    const [a, b, year] = slashed.slice(1).map(Number) as [number, number, number];
    const ways = [...new Set([day(year, b, a), day(year, a, b)].flatMap((one) => (one.ok ? [one.day] : [])))];
    if (ways.length > 1) return { ok: false, reason: 'ambiguous_date' };
    return ways.length === 1 ? { ok: true, day: ways[0]! } : no;
  }
  const named =
    /^(\d{1,2})(?:st|nd|rd|th|\.)?\s(?:of\s)?([a-z]{3,9})\.?,?\s(\d{4})$/.exec(folded) ??
    /^([a-z]{3,9})\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s(\d{4})$/.exec(folded);
  if (named === null) return no;
  const [first, second, year] = named.slice(1) as [string, string, string];
  const word = /\d/.test(first) ? second : first;
  const month = MONTHS.findIndex((name) => name === word || (word.length >= 3 && name.startsWith(word)));
  return month < 0 ? no : day(Number(year), month + 1, Number(word === first ? second : first));
}

function day(year: number, month: number, date: number): ReadDate {
  const time = Date.UTC(year, month - 1, date);
  const is = new Date(time);
  const same = is.getUTCFullYear() === year && is.getUTCMonth() === month - 1 && is.getUTCDate() === date;
  return same ? { ok: true, day: time } : { ok: false, reason: 'not_a_date' };
}
