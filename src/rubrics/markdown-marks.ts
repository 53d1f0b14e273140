const KEEP = 0;
/** Leave a character of the original out. */
export const DROP = 1;
/** Read a character of the original as white space. */
export const BLANK = 2;

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
 *
 * @example
 * ```ts
 * markdownMarks('a **b**', 'joined') // => Uint8Array.of(0, 0, 1, 1, 0, 1, 1)
 * markdownMarks('a b', 'joined') // => null
 * ```
 */
export function markdownMarks(
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
