const KEEP = 0;
/** Leave a character of the original out. */
const DROP = 1;
/** Read a character of the original as white space. */
const BLANK = 2;

/**
 * How line-level Markdown and words broken at a line end are read.
 * - `joined`: markers are dropped, and a hyphen at a line end together with the break: "hyper-\nkalaemia" is one word.
 * - `compound`: markers are dropped; a hyphen at a line end stays, and the break goes: "long-\nterm" is "long-term".
 * - `flat`: markers and breaks stay, for quotes that have them in one line: "check ACR - repeat creatinine".
 */
export type LineReading = 'joined' | 'compound' | 'flat';

/** In the order in which they are tried: as little as possible is left out. */
export const LINE_READINGS: readonly LineReading[] = ['flat', 'joined', 'compound'];

/** Whether a text has anything that the line readings treat differently. */
const LINE_LEVEL =
  /^[ \t]*(?:#{1,6}[ \t]|[-*+•◦▪‣]\s|\d{1,3}[.)][ \t]|[|:]|```|~~~|-{3})|[\p{Pd}\u00ad][ \t]*\r?\n/mu;
const INLINE = /[*_~`|]/;

const FENCE = /^[ \t]*(?:`{3,}|~{3,})[^\n`]*$/gmu;
const SEPARATOR_ROW = /^[ \t]*[|:]?[ \t]*:?-{3,}[-:| \t]*$/gmu;
const HEADING = /^[ \t]*#{1,6}(?=[ \t])|(?<=[ \t])#{1,6}[ \t]*$/gmu;
const BULLET = /^[ \t]*[-*+•◦▪‣](?=\s)/gmu;
/** In answers only: a number that a quote has must be in the answer. */
const NUMBERED = /^[ \t]*\d{1,3}[.)](?=[ \t]+\S)/gmu;
/** Letters only: a range broken at a line end ("1-\n2 weeks") must not become another number. */
const BROKEN_WORD = /(?<=\p{L})[\p{Pd}\u00ad][ \t]*\r?\n[ \t]*(?=\p{L})/gu;

/**
 * Marks Markdown in a text, character by character: emphasis and code marks are dropped, table pipes are white space, and line-level marks follow the `reading`. Null where there is none.
 * `a **b**` gives 0, 0, 1, 1, 0, 1, 1.
 */
function markdownMarks(
  text: string,
  reading: LineReading,
  side: 'answer' | 'quote' = 'answer',
): Uint8Array | null {
  const lines = reading !== 'flat' && LINE_LEVEL.test(text);
  if (!lines && !INLINE.test(text)) return null;
  const marks = new Uint8Array(text.length);
  const mark = (pattern: RegExp, action: number) => {
    for (const { index, 0: found } of text.matchAll(pattern)) marks.fill(action, index, index + found.length);
  };
  markInline(text, marks);
  if (!lines) return marks;
  for (const pattern of [FENCE, SEPARATOR_ROW, HEADING, BULLET]) mark(pattern, BLANK);
  if (side === 'answer') mark(NUMBERED, BLANK);
  for (const { index, 0: found } of text.matchAll(BROKEN_WORD))
    marks.fill(DROP, reading === 'compound' ? index + 1 : index, index + found.length);
  return marks;
}

/** Whether the readings of a text differ. */
export function hasLineMarks(text: string): boolean {
  return LINE_LEVEL.test(text);
}

const RUN = /[*_~]+|`+|\|/g;

function markInline(text: string, marks: Uint8Array): void {
  for (const { index, 0: run } of text.matchAll(RUN)) {
    const action = inlineAction(run, text[index - 1] ?? '', text[index + run.length] ?? '');
    if (action !== KEEP) marks.fill(action, index, index + run.length);
  }
}

function inlineAction(run: string, before: string, after: string): number {
  if (run === '|') return BLANK;
  if (run.startsWith('`')) return DROP;
  const isLoose = /^\s?$/.test(before) && /^\s?$/.test(after);
  // A multiplication, an underscore in a name, or "about": not emphasis.
  if (isLoose && before + after !== '') return KEEP;
  if (run === '*' && /\d/.test(before) && /\d/.test(after)) return KEEP;
  if (/^_+$/.test(run) && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after)) return KEEP;
  if (run === '~') return KEEP;
  return DROP;
}

/** A text as quotes are compared, with the place of every unit in the original. */
export interface NormalisedText {
  readonly text: string;
  /** For each UTF-16 unit of `text`: where the stretch of the original that it came from begins and ends. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** 1 where a stretch begins; one more place than `text` has units, the last always 1. */
  readonly borders: Uint8Array;
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
const ASCII = /^[\u0000-\u007f]*$/;
/** Soft hyphens, zero-width characters, marks of direction, variation selectors. */
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}]/gu;
const DASHES = /[\p{Pd}\u2212\u02d7]/gu;
const DOUBLE_QUOTES = /[“”„‟«»〝〞〟]/gu;
const SINGLE_QUOTES = /[‘’‚‛‹›ʼ´]/gu;

/**
 * Folds what may differ between an answer and a quote of it: Unicode form (NFKC) and case, runs of
 * white space, typographic quotation marks and dashes, `≤`, `≥` and the fraction slash, invisible
 * characters, and Markdown (`reading` says how line-level marks are read). It works stretch by
 * stretch, so that every unit knows where it came from; a stretch is what cannot be taken apart
 * without changing the result, mostly one character as a reader sees it.
 *
 * @example
 * ```ts
 * normalised('The ﬁrst\n  **DOSE**').text // => 'the first dose'
 * const { text, starts, ends } = normalised('5 ½ mg');
 * [text, starts[2], ends[4]] // => ['5 1/2 mg', 2, 3]
 * ```
 */
export function normalised(
  original: string,
  reading: LineReading = 'joined',
  side: 'answer' | 'quote' = 'answer',
): NormalisedText {
  const marks = markdownMarks(original, reading, side);
  if (marks === null && ASCII.test(original)) return ofAscii(original);
  const text: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const borders: number[] = [];
  for (const { form, start, end } of stretches(original, marks)) {
    for (let unit = 0; unit < form.length; unit++) {
      starts.push(start);
      ends.push(end);
      borders.push(unit === 0 ? 1 : 0);
    }
    text.push(form);
  }
  borders.push(1);
  return {
    text: text.join(''),
    starts: Int32Array.from(starts),
    ends: Int32Array.from(ends),
    borders: Uint8Array.from(borders),
  };
}

/** Every character of ASCII is a stretch, and so is a run of white space: most plain answers are done here, at a tenth of the cost. */
function ofAscii(original: string): NormalisedText {
  const text = original.toLowerCase().replace(/\s+/g, ' ');
  const starts = new Int32Array(text.length);
  const ends = new Int32Array(text.length);
  for (let unit = 0, at = 0; unit < text.length; unit++) {
    starts[unit] = at++;
    if (text[unit] === ' ') while (isBlank(original.charCodeAt(at))) at++;
    ends[unit] = at;
  }
  return { text, starts, ends, borders: new Uint8Array(text.length + 1).fill(1) };
}

/** Tab, line feed, vertical tab, form feed, carriage return, space. */
function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

interface Stretch {
  readonly form: string;
  readonly start: number;
  readonly end: number;
}

function stretches(original: string, marks: Uint8Array | null): Stretch[] {
  const found: (Stretch & { readonly source: string })[] = [];
  let start = 0;
  for (const source of characters(original)) {
    const end = start + source.length;
    const last = found.at(-1);
    const action = marks?.[start] ?? 0;
    const blank = action === BLANK || /^\s+$/u.test(source);
    if (action === DROP) {
      // Leaves a gap in the places.
    } else if (blank) {
      if (last?.form === ' ') found[found.length - 1] = { ...last, end };
      else found.push({ source: ' ', form: ' ', start, end });
    } else if (last !== undefined && last.end === start && joins(last.source, source)) {
      const both = last.source + source;
      found[found.length - 1] = { source: both, form: normaliseForm(both), start: last.start, end };
    } else {
      const form = normaliseForm(source);
      if (form !== '') found.push({ source, form, start, end });
    }
    start = end;
  }
  return found;
}

function characters(original: string): Iterable<string> {
  if (ASCII.test(original)) return original;
  return Array.from(graphemes.segment(original), ({ segment }) => segment);
}

/** Some neighbours compose though a reader sees two characters: Korean letters of the compatibility block. */
function joins(a: string, b: string): boolean {
  if (ASCII.test(b)) return false;
  return (a + b).normalize('NFKC') !== a.normalize('NFKC') + b.normalize('NFKC');
}

function normaliseForm(source: string): string {
  const visible = source.replace(INVISIBLE, '').replace(SINGLE_QUOTES, "'").replace(DOUBLE_QUOTES, '"');
  return (
    visible
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll('ς', 'σ')
      .replace(DASHES, '-')
      // NFKC unfolds ½ to 1⁄2.
      .replaceAll('⁄', '/')
      .replaceAll('≤', '<=')
      .replaceAll('≥', '>=')
  );
}
