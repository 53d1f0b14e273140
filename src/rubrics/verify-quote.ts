import { type NormalisedText, normalised, normalisedText } from './normalised-text.ts';

/** Where a quote was found in the original answer, in UTF-16 units. */
export interface QuotePlace {
  readonly start: number;
  readonly end: number;
}

/** A judge quotes one answer many times, and preparing it is nearly all of the work. */
let latest: { readonly answer: string; readonly form: NormalisedText } | null = null;

/**
 * Finds a quote in the answer; null where it is not there. It is the first place at or after `from`, compared after NFKC with white space and case normalised. Nothing else is
 * forgiven. A quote may not begin or end inside a character (a "2" is not found in "½"), and a quote with "..." between its parts is found only where the answer has the dots.
 *
 * @example
 * ```ts
 * verifyQuote('BCL2 is on\n  Chromosome 18.', 'is on chromosome 18') // => { start: 5, end: 26 }
 * verifyQuote('No salt. Really: no salt.', 'no salt', 7) // => { start: 17, end: 24 }
 * verifyQuote('BCL2 is on chromosome 18.', 'BCL2 ... 18') // => null
 * verifyQuote('Give ½ tablet.', '2 tablet') // => null
 * ```
 */
export function verifyQuote(answer: string, quote: string, from = 0): QuotePlace | null {
  const wanted = normalisedText(quote.trim());
  if (wanted === '') return null;
  if (latest?.answer !== answer) latest = { answer, form: normalised(answer) };
  const { text, starts, ends, borders } = latest.form;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const whole = borders[at] === 1 && borders[at + wanted.length] === 1;
    if (whole && starts[at]! >= from) return { start: starts[at]!, end: ends[at + wanted.length - 1]! };
  }
  return null;
}
