const NEGATION = [
  "(?:not|no|never|nor|neither|without|cannot|\\p{L}+n't)",
  '(?:no|without) (?:evidence|signs?|history) of',
  'absence of',
  'free of',
].join('|');
const FILLERS = 'a|an|the|any|be|been|being|considered|strictly|absolutely|currently|generally|yet';
/** Quotation marks do not end a clause: `not "safe"`. */
const NEGATED = new RegExp(
  `(?<![\\p{L}\\p{N}\\p{M}_])(?:(?:${NEGATION})(?: (?:${FILLERS})){0,2} ["']*|(?:non-|un-|non )["']*)$`,
  'u',
);
/** Longer than the longest negation with two fillers. */
const MAX_LENGTH = 80;

/**
 * Whether the words that begin at a place are negated by the end of what precedes them: "not", "no
 * evidence of any", "non-". Punctuation ends the clause that a negation governs. The text is
 * folded.
 *
 * @example
 * ```ts
 * isNegatedAt('it is not strictly safe', 19) // => true
 * isNegatedAt('no, safe', 4) // => false
 * ```
 */
export function isNegatedAt(text: string, at: number): boolean {
  return NEGATED.test(text.slice(Math.max(0, at - MAX_LENGTH), at));
}
