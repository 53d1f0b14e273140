import type { TextSpan } from '../core/read-json.ts';
import {
  hasLineMarks,
  LINE_READINGS,
  type LineReading,
  type NormalisedText,
  normalised,
} from './normalised-text.ts';

/** Scripts that write words without spaces: there, neighbouring letters do not mean one word. */
const UNSPACED_SCRIPTS = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`;

/** Where a quote was found in the original answer, in UTF-16 units. */
export interface QuotePlace {
  readonly start: number;
  readonly end: number;
}

/** What a search for a quote found. */
export interface QuoteSearch {
  /**
   * The first place without a negation before it, or the first of all; null where the answer does
   * not contain the quote.
   */
  readonly place: QuotePlace | null;
  /**
   * The first quantity in the quote, folded; where the quote is not found, the first quantity that
   * it cuts. Null where there is none.
   */
  readonly quantity: string | null;
  /** Whether a negation stands right before every place where the quote was found. */
  readonly negatedContext: boolean;
}

interface Occurrence extends QuotePlace {
  readonly quantity: string | null;
  readonly isNegated: boolean;
}

/** An answer prepared for searches by one reading of its lines. */
function prepareAnswer(answer: string, name: LineReading) {
  const folded = normalised(answer, name);
  return { folded, quantities: findQuantities(folded, answer) };
}

/** A judge quotes one answer many times, and preparing it is nearly all of the work. */
let latest: {
  readonly answer: string;
  readonly readings: Map<LineReading, ReturnType<typeof prepareAnswer>>;
} | null = null;

/**
 * Looks for a quote in an answer, trying every occurrence until one stands without a negation
 * before it.
 *
 * Folded on both sides: Unicode form (NFKC), case, white space, typographic quotation marks and
 * dashes, `≤`, `≥` and fraction slashes, soft hyphens and zero-width characters, Markdown, and a
 * word hyphenated at a line end. Quotation marks and `. , ; : ! ?` are ignored at the ends of the
 * quote. There is no fuzzy matching. The match begins and ends at word borders, never inside a
 * character and never inside a quantity, and contains a letter or a digit; the place returned
 * begins and ends with one.
 *
 * @example
 * ```ts
 * searchQuote('Give 5 mg once.', '5 mg') // => { place: { start: 5, end: 9 }, quantity: '5 mg', negatedContext: false }
 * searchQuote('Give 5 mg/kg once.', '5 mg') // => { place: null, quantity: '5 mg/kg', negatedContext: false }
 * searchQuote('It is not safe.', 'safe') // => { place: { start: 10, end: 14 }, quantity: null, negatedContext: true }
 * ```
 */
export function searchQuote(answer: string, quote: string): QuoteSearch {
  let negated: Occurrence | null = null;
  let cut: string | null = null;
  for (const found of occurrences(answer, quote)) {
    if ('cut' in found) cut ??= found.cut;
    else if (found.isNegated) negated ??= found;
    else return asSearch(found);
  }
  return negated === null ? { place: null, quantity: cut, negatedContext: false } : asSearch(negated);
}

function asSearch({ start, end, quantity, isNegated }: Occurrence): QuoteSearch {
  return { place: { start, end }, quantity, negatedContext: isNegated };
}

/**
 * Finds a quote in the answer by the rules of `searchQuote`; null where it is not there.
 *
 * @example
 * ```ts
 * verifyQuote('BCL2 is on\n  Chromosome 18.', 'is on chromosome 18') // => { start: 5, end: 26 }
 * verifyQuote('Stop **metformin**: it’s unsafe.', '"metformin: it\'s unsafe."') // => { start: 7, end: 31 }
 * verifyQuote('Give 15 mg.', '5 mg') // => null
 * verifyQuote('BCL2 is on chromosome 18.', 'BCL2 ... 18') // => null
 * ```
 */
export function verifyQuote(answer: string, quote: string): QuotePlace | null {
  return searchQuote(answer, quote).place;
}

/**
 * Finds the places where a quote stands in the answer, without overlaps: those without a negation
 * before them first, and then by position.
 *
 * @example
 * ```ts
 * findQuotePlaces('No salt. Really: no salt, and salt', 'salt').map(({ start }) => start) // => [30, 3, 20]
 * ```
 */
export function findQuotePlaces(
  answer: string,
  quote: string,
): readonly (QuotePlace & { readonly isNegated: boolean })[] {
  const whole = [...occurrences(answer, quote)].filter((found): found is Occurrence => !('cut' in found));
  const apart: Occurrence[] = [];
  // Sorting is stable: of one place in several readings of the answer, the first reading counts.
  for (const found of whole.sort((a, b) => a.start - b.start))
    if (found.start >= (apart.at(-1)?.end ?? 0)) apart.push(found);
  return apart.sort((a, b) => Number(a.isNegated) - Number(b.isNegated));
}

/**
 * Every occurrence of the quote in every reading of the answer: where it is whole, or the quantity
 * that it cuts.
 */
function* occurrences(answer: string, quote: string): Generator<Occurrence | { readonly cut: string }> {
  if (latest?.answer !== answer) latest = { answer, readings: new Map() };
  const { readings } = latest;
  const names: readonly LineReading[] =
    hasLineMarks(answer) || hasLineMarks(quote) ? LINE_READINGS : ['flat'];
  for (const name of names) {
    const wanted = withoutEndMarks(normalised(quote, name, 'quote').text);
    if (!WORDLIKE.test(wanted)) continue;
    const reading = readings.get(name) ?? prepareAnswer(answer, name);
    readings.set(name, reading);
    yield* occurrencesIn(reading, wanted);
  }
}

const WORDLIKE = /[\p{L}\p{N}]/u;

/** Without white space, quotation marks and end marks at both ends. A decimal point that begins a number stays: ".5 mg" is not "5 mg". */
function withoutEndMarks(text: string): string {
  return text.replace(/^(?:(?!\.\d)[\s"'.,;:!?])+/, '').replace(/(?<![\s"'.,;:!?])[\s"'.,;:!?]+$/, '');
}

function* occurrencesIn(
  { folded, quantities }: ReturnType<typeof prepareAnswer>,
  wanted: string,
): Generator<Occurrence | { readonly cut: string }> {
  const { text, starts, ends, borders } = folded;
  const lead = wanted.search(WORDLIKE);
  const tail = wanted.length - wanted.search(/(?<=[\p{L}\p{N}\p{M}])[^\p{L}\p{N}\p{M}]*$/u);
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const cut = spanAround(quantities, at) ?? spanAround(quantities, end);
    if (cut !== null) {
      yield { cut: text.slice(cut.start, cut.end) };
      continue;
    }
    const isWhole = borders[at] === 1 && borders[end] === 1;
    if (!isWhole || splitsWord(text, at) || splitsWord(text, end)) continue;
    const first = quantities[countBefore(quantities, at)];
    yield {
      start: starts[at + lead]!,
      end: ends[end - 1 - tail]!,
      quantity: first !== undefined && first.end <= end ? text.slice(first.start, first.end) : null,
      isNegated: isNegatedAt(text, at),
    };
  }
}

/** The quantity that a cut at this place divides. */
function spanAround(spans: readonly TextSpan[], at: number): TextSpan | null {
  const last = spans[countBefore(spans, at) - 1];
  return last !== undefined && at < last.end ? last : null;
}

/** How many spans, which are in order and apart, begin before a place. */
function countBefore(spans: readonly TextSpan[], at: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle]!.start < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

const UNSPACED = new RegExp(UNSPACED_SCRIPTS, 'u');

/** Whether a cut is inside a word, inside a number (2.5, 1,000, .5), or takes the "n't" off a verb. */
function splitsWord(text: string, at: number): boolean {
  const left = text.slice(Math.max(0, at - 2), at);
  const right = text.slice(at, at + 3);
  if (/[\p{L}\p{N}\p{M}]$/u.test(left) && /^[\p{L}\p{N}\p{M}]/u.test(right))
    return !(UNSPACED.test(Array.from(left).at(-1)!) || UNSPACED.test(Array.from(right)[0]!));
  if (/^\p{N}/u.test(right) && /(?<!\.)[.·٫]$|\p{N},$/u.test(left)) return true;
  if (/\p{N}$/u.test(left) && /^[.,·٫]\p{N}/u.test(right)) return true;
  return left.endsWith('n') && /^'t(?!\p{L})/u.test(right);
}

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

const UNITS = [
  'kg g mg μg mcg ug ng pg l dl ml μl fl mol mmol μmol umol nmol pmol meq mosm iu u units? mmhg kpa',
  String.raw`cm mm m\^?2 m s sec min h hr hours? days? weeks? months? years? bpm kcal j`,
  'tablets? drops? puffs?',
].flatMap((line) => line.split(' '));

/** A space, or a line break or cell border that the folding has made one. */
const GAP = String.raw`[ \n]`;
const IN_WORD = String.raw`(?!${UNSPACED_SCRIPTS})[\p{L}\p{N}\p{M}_]`;

/** Not the head of an arrow ("5 mg -> 10 mg"), nor the end of an HTML tag ("<br>5 mg"). */
const GREATER = '(?<!-|</?[a-z]{1,6} ?/?)>';
const MINUS = String.raw`(?<![\p{L}\p{N}])-`;
const SIGNS = `(?:(?:[<=~≈±]|${GREATER}){1,2}${GAP}?){0,2}(?:${MINUS})?`;

/** A space groups digits only within a line: the cells "| 1 | 500 mg |" are two numbers. */
const GROUPED = String.raw`\p{Nd}{1,3}(?:[ ,']\p{Nd}{3}(?!\p{Nd}))+`;
const NUMBER = String.raw`(?:(?<!\.)[.·٫])?(?:${GROUPED}|\p{Nd}+)(?:[.,·٫']\p{Nd}+)*(?:\^-?\p{Nd}+)?`;
/** The digits of a name (BCL2) or a version are no number. */
const NUMBER_BEGINS = String.raw`(?<!${IN_WORD}|\p{Nd}[.,·٫'])`;

const UNIT = `${GAP}?(?:%|(?:° ?[cf]|${UNITS.join('|')})(?!${IN_WORD}))`;
const WORD = String.raw`(?!${UNSPACED_SCRIPTS})\p{L}(?:(?!${UNSPACED_SCRIPTS})[\p{L}\p{N}\p{M}])*(?:\^\p{Nd}+)?`;
const CHAIN = `${GAP}?/${GAP}?${WORD}|${GAP}per${GAP}${WORD}`;
const JOIN = `${GAP}?(?:-|±|/|x|×|to|per)${GAP}?`;

const WITH_UNIT = `${NUMBER}(?:${UNIT})?(?:${CHAIN})*`;
// After the first number everything is optional, so a match never has to be given up, and takes
// linear time.
const RUN = `${SIGNS}${NUMBER_BEGINS}${WITH_UNIT}(?:${JOIN}${SIGNS}${WITH_UNIT})*`;
const FIRST = new RegExp(`((?<!${IN_WORD})between${GAP})?${RUN}`, 'gu');
const AND = new RegExp(`${GAP}and${GAP}${RUN}`, 'uy');

/**
 * Finds the quantities of a text in order, each with its sign, its unit, everything that it is
 * divided by, and the numbers joined to it: "<5 mg", "2-5 mg/kg/day", "3 x 5 mg",
 * "between 2 and 5 mg", "45 ml/min/1.73 m2".
 */
export function findQuantities(folded: NormalisedText, original: string): TextSpan[] {
  const text = withLineBreaks(folded, original);
  const spans: TextSpan[] = [];
  FIRST.lastIndex = 0;
  for (let found = FIRST.exec(text); found !== null; found = FIRST.exec(text)) {
    const { index, 1: between = '' } = found;
    AND.lastIndex = FIRST.lastIndex;
    const isBetween = between !== '' && AND.test(text);
    if (isBetween) FIRST.lastIndex = AND.lastIndex;
    spans.push({ start: isBetween ? index : index + between.length, end: FIRST.lastIndex });
  }
  return spans;
}

/**
 * The folded text with a line feed for white space that has a line break or the border of a table
 * cell in it.
 */
function withLineBreaks({ text, starts, ends }: NormalisedText, original: string): string {
  return text.replace(/ /g, (space, at: number) =>
    /[\r\n|]/.test(original.slice(starts[at], ends[at])) ? '\n' : space,
  );
}
