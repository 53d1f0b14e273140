import type { VerifiedQuote } from '../verdict.ts';
import { verifyQuote } from '../verify-quote.ts';

/**
 * Looks up quotes in the answer. A quote given once more stands for the next place where it occurs, so that a judge asked for every occurrence cannot count one place twice;
 * without a next place it is not verified.
 */
export function placeQuotes(answer: string, quotes: readonly string[], allQuotes = false): VerifiedQuote[] {
  const nextFrom = new Map<string, number>();
  const given = allQuotes ? quotes : [...new Set(quotes)];
  return given.map((text) => {
    const place = verifyQuote(answer, text, nextFrom.get(text));
    if (place === null) return { text, start: null, end: null };
    nextFrom.set(text, place.end);
    return { text, ...place };
  });
}
