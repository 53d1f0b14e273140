import { hasLineMarks, LINE_READINGS, type LineReading } from './markdown-marks.ts';
import { type NormalisedText, normalised } from './normalised-text.ts';

/** Where a quote was found in the original answer, in UTF-16 units. */
export interface QuotePlace {
  readonly start: number;
  readonly end: number;
}

/** A judge quotes one answer many times, and preparing it is nearly all of the work. */
let latest: { readonly answer: string; readonly forms: Map<LineReading, NormalisedText> } | null = null;

/**
 * Finds a quote in the answer; null where it is not there. It is the first place at or after `from`.
 *
 * Folded on both sides: Unicode form (NFKC), case, white space, typographic quotation marks and dashes, soft hyphens and zero-width characters, Markdown, and a word hyphenated at a line end. Ignored at
 * the ends of the quote: quotation marks and `. , ; : ! ?`. There is no fuzzy matching. The match begins and ends at word borders and never inside a character, and contains a letter or a digit;
 * the place returned begins and ends with one.
 *
 * @example
 * ```ts
 * verifyQuote('BCL2 is on\n  Chromosome 18.', 'is on chromosome 18') // => { start: 5, end: 26 }
 * verifyQuote('Stop **metformin**: it’s unsafe.', '"metformin: it\'s unsafe."') // => { start: 7, end: 31 }
 * verifyQuote('No salt. Really: no salt.', 'no salt', 7) // => { start: 17, end: 24 }
 * verifyQuote('Give 15 mg.', '5 mg') // => null
 * verifyQuote('BCL2 is on chromosome 18.', 'BCL2 ... 18') // => null
 * ```
 */
export function verifyQuote(answer: string, quote: string, from = 0): QuotePlace | null {
  if (latest?.answer !== answer) latest = { answer, forms: new Map() };
  const readings: readonly LineReading[] =
    hasLineMarks(answer) || hasLineMarks(quote) ? LINE_READINGS : ['flat'];
  for (const reading of readings) {
    const wanted = withoutEndMarks(normalised(quote, reading, 'quote').text);
    if (!WORDLIKE.test(wanted)) continue;
    let form = latest.forms.get(reading);
    if (form === undefined) {
      form = normalised(answer, reading);
      latest.forms.set(reading, form);
    }
    const place = firstPlace(form, wanted, from);
    if (place !== null) return place;
  }
  return null;
}

const WORDLIKE = /[\p{L}\p{N}]/u;

/** Without white space, quotation marks and end marks at both ends. A decimal point that begins a number stays: ".5 mg" is not "5 mg". */
function withoutEndMarks(text: string): string {
  return text.replace(/^(?:(?!\.\d)[\s"'.,;:!?])+/, '').replace(/[\s"'.,;:!?]+$/, '');
}

function firstPlace(
  { text, starts, ends, borders }: NormalisedText,
  wanted: string,
  from: number,
): QuotePlace | null {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const isWhole = borders[at] === 1 && borders[end] === 1;
    if (!isWhole || splitsWord(text, at) || splitsWord(text, end)) continue;
    const lead = wanted.search(WORDLIKE);
    const tail = /[^\p{L}\p{N}\p{M}]*$/u.exec(wanted)![0].length;
    const place = { start: starts[at + lead]!, end: ends[end - 1 - tail]! };
    if (place.start >= from) return place;
  }
  return null;
}

/** Scripts that write words without spaces: there, neighbouring letters do not mean one word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

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
