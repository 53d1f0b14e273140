import { oncePer } from '../core/collections.ts';
import { type FoldedText, foldText, listReadings } from '../core/folded-text.ts';
import type { VisibleRecord } from '../models/backend.ts';

/** Replaces each UTF-16 unit of a value: offsets into the text stay valid. */
const BLOCK = '█';

/** Shorter words identify no patient. */
const MIN_WORD = 3;
/** A value up to this length is also looked for as a whole, whatever the length of its words: a name such as "Li Wu". */
const MAX_WHOLE = 64;
/** From this length on a value is found inside longer words, too. */
const FOUND_ANYWHERE = 8;
/** Numbers with this many digits are looked for with any separators, shorter ones by value. */
const LONG_NUMBER = 4;
/** Candidates are looked up by their first units. */
const PREFIX = 3;

/** Words that every text has. A value that consists of nothing else is still found as a whole. */
const COMMON = new Set(
  'a about after all also am an and any are as at be because been before but by can could did do does for from had has have he her hers him his how i if in into is it its just like may me more most my no not of on once one only or other our out over own she should since so some such than that the their them then there these they this those to too under until up very was we were what when where which while who why will with would you your'.split(
    ' ',
  ),
);

/** What is looked for, folded. */
interface Wanted {
  /** By their first units: whole values, words, long numbers and dates. */
  readonly texts: Map<string, Set<string>>;
  readonly numbers: Set<number>;
  readonly words: Set<string>;
}

/**
 * Blocks out the values of these records in a text of a model or a provider, and every word, number and date of them: also in capitals, with other accents, split by blanks or line breaks,
 * a date in another order, half a word at the end of a text that was cut off. Numbers are compared by value, so that 61.0 is 61. `keep` lists folded words that reveal nothing, such as labels.
 * The result has the length of the text. Takes time in proportion to text and values; no pattern is ever built from either.
 */
export function scrub(
  text: string,
  records: readonly VisibleRecord[],
  keep: ReadonlySet<string> = new Set(),
): string {
  const isBlocked = new Uint8Array(text.length);
  for (const reading of listReadings(text)) {
    const form = foldText(reading);
    for (const { features } of records) {
      const wanted = lookedFor(features);
      blockTexts(form, wanted, keep, isBlocked);
      blockNumbers(reading, wanted.numbers, isBlocked);
      blockBrokenWord(form, text.length, wanted.words, keep, isBlocked);
    }
  }
  return withBlocks(text, isBlocked);
}

/** Words of a text in the form in which `scrub` keeps them. */
export function foldedWords(...texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => [...splitWords(foldText(text))]));
}

const lookedFor = oncePer((features: VisibleRecord['features']): Wanted => {
  const wanted: Wanted = { texts: new Map(), numbers: new Set(), words: new Set() };
  for (const value of valuesIn(features)) addValue(wanted, String(value));
  for (const word of wanted.words) addText(wanted, word);
  return wanted;
});

/** The texts and numbers in a value, however deep. */
function* valuesIn(value: unknown): Generator<string | number> {
  if (typeof value === 'string' || typeof value === 'number') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* valuesIn(inner);
}

function addValue(wanted: Wanted, value: string): void {
  const form = foldText(value);
  const isNumber = value.trim() !== '' && Number.isFinite(Number(value));
  if (!isNumber && form.text.length >= 2 && form.text.length <= MAX_WHOLE) addText(wanted, form.text);
  for (const word of splitWords(form))
    if (word.length >= MIN_WORD && !COMMON.has(word) && !/^\d+$/.test(word)) wanted.words.add(word);
  for (const [found] of value.matchAll(NUMBER)) {
    const number = parseNumber(found);
    wanted.numbers.add(number);
    const digits = foldText(found).text;
    if (digits.length < LONG_NUMBER) continue;
    addText(wanted, digits);
    // Without its decimals a long number is still the same number.
    for (const whole of [Math.trunc(number), Math.round(number)])
      if (Math.abs(whole) >= 10 ** (LONG_NUMBER - 1)) {
        wanted.numbers.add(whole);
        addText(wanted, String(Math.abs(whole)));
      }
  }
  for (const date of dateSpellings(value)) addText(wanted, date);
}

function addText({ texts }: Wanted, text: string): void {
  const prefix = text.slice(0, PREFIX);
  const known = texts.get(prefix);
  if (known === undefined) texts.set(prefix, new Set([text]));
  else known.add(text);
}

const NUMBER = /(?<![\p{L}\d.,])[+-]?\d+(?:[.,]\d+)?(?:e[+-]?\d{1,3})?(?![\p{L}\d])/giu;

function parseNumber(text: string): number {
  return Number(text.replace(',', '.'));
}

function* splitWords({ text, borders }: FoldedText): Generator<string> {
  for (let start = 0, end = 1; end <= text.length; end++) {
    if (borders[end] !== 1) continue;
    yield text.slice(start, end);
    start = end;
  }
}

interface Found {
  readonly from: number;
  readonly length: number;
  readonly value: string;
}

/** Where values begin in a folded text. They begin and end with a word, or are long. */
function found({ text, borders }: FoldedText, { texts }: Wanted): Found[] {
  const places: Found[] = [];
  for (let from = 0; from < text.length; from++) {
    for (let size = PREFIX; size >= 2; size--) {
      const candidates = texts.get(text.slice(from, from + size));
      if (candidates === undefined) continue;
      for (const length of collectLengths(candidates)) {
        const isWhole = borders[from] === 1 && borders[from + length] === 1;
        if (!isWhole && length < FOUND_ANYWHERE) continue;
        const value = text.slice(from, from + length);
        if (candidates.has(value)) places.push({ from, length, value });
      }
    }
  }
  return places;
}

const collectLengths = oncePer((texts: Set<string>): readonly number[] => [
  ...new Set(texts.values().map(({ length }) => length)),
]);

function blockTexts(
  form: FoldedText,
  wanted: Wanted,
  keep: ReadonlySet<string>,
  isBlocked: Uint8Array,
): void {
  for (const { from, length, value } of found(form, wanted))
    if (!keep.has(value)) isBlocked.fill(1, form.starts[from], form.ends[from + length - 1]);
}

function blockNumbers(text: string, numbers: ReadonlySet<number>, isBlocked: Uint8Array): void {
  for (const match of text.matchAll(NUMBER))
    if (numbers.has(parseNumber(match[0]))) isBlocked.fill(1, match.index, match.index + match[0].length);
}

/** The last word of a text that was cut off may be the beginning of a value. */
function blockBrokenWord(
  { text, borders, starts, ends }: FoldedText,
  end: number,
  words: ReadonlySet<string>,
  keep: ReadonlySet<string>,
  isBlocked: Uint8Array,
): void {
  if (text === '' || ends[text.length - 1] !== end) return;
  let from = text.length - 1;
  while (from > 0 && borders[from] !== 1) from -= 1;
  const last = text.slice(from);
  if (last.length < 2 || keep.has(last) || COMMON.has(last)) return;
  if (words.values().some((word) => word.startsWith(last) && !keep.has(word)))
    isBlocked.fill(1, starts[from], end);
}

function withBlocks(text: string, isBlocked: Uint8Array): string {
  const parts: string[] = [];
  for (let from = 0, to = 0; from < text.length; from = to) {
    for (to = from + 1; to < text.length && isBlocked[to] === isBlocked[from]; ) to += 1;
    parts.push(isBlocked[from] === 1 ? BLOCK.repeat(to - from) : text.slice(from, to));
  }
  return parts.join('');
}

const LOCALES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl'];
const ORDINALS = ['st', 'nd', 'rd', 'th', 'stof', 'ndof', 'rdof', 'thof'];

let months: readonly ReadonlySet<string>[] | undefined;

/** Names of the months, folded, long and short, in the languages of `LOCALES`. Made when they are needed, because formatters take long to make. */
function monthNames(): readonly ReadonlySet<string>[] {
  months ??= Array.from(
    { length: 12 },
    (_, month) =>
      new Set(
        LOCALES.flatMap((locale) =>
          (['long', 'short'] as const).map((style) => {
            const format = new Intl.DateTimeFormat(locale, { month: style, day: 'numeric', timeZone: 'UTC' });
            const parts = format.formatToParts(new Date(Date.UTC(2001, month, 1)));
            return foldText(parts.find(({ type }) => type === 'month')!.value).text;
          }),
        ),
      ),
  );
  return months;
}

const NUMBERS = /(?<!\d)(\d{1,4})\s{0,3}[-/.,\s]\s{0,3}(\d{1,2})\s{0,3}[-/.,\s]\s{0,3}(\d{1,4})(?!\d)/g;
const DIGITS = /(?<!\d)(\d{4})(\d{2})(\d{2})(?!\d)/g;
const DAY_AND_MONTH =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th)?[\s.]{0,3}(?:of )?(\p{L}{3,12})[\s.,]{0,3}(\d{2,4})(?!\d)/giu;
const MONTH_AND_DAY = /(\p{L}{3,12})[\s.]{0,3}(\d{1,2})(?:st|nd|rd|th)?[\s,]{1,3}(\d{2,4})(?!\d)/giu;

/** The dates in a text in every spelling in which they may be quoted, folded: `19610503`, `351961`, `3may1961`, `may3rd61`, ... Where day and month can be exchanged, both readings. */
function* dateSpellings(text: string): Generator<string> {
  for (const [, a, b, c] of text.matchAll(NUMBERS)) {
    yield* spellings(a!, Number(b), c!);
    yield* spellings(c!, Number(b), a!);
    yield* spellings(c!, Number(a), b!);
  }
  for (const [, year, month, day] of text.matchAll(DIGITS)) yield* spellings(year!, Number(month), day!);
  for (const [, day, name, year] of text.matchAll(DAY_AND_MONTH))
    yield* spellings(year!, findMonth(name!), day!);
  for (const [, name, day, year] of text.matchAll(MONTH_AND_DAY))
    yield* spellings(year!, findMonth(name!), day!);
}

function findMonth(name: string): number {
  const folded = foldText(name).text;
  return monthNames().findIndex((names) => names.has(folded)) + 1;
}

function* spellings(year: string, month: number, dayText: string): Generator<string> {
  const day = Number(dayText);
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= 31 && year.length % 2 === 0;
  if (!isDate) return;
  const years = year.length === 4 ? [year, year.slice(2)] : [year, `19${year}`, `20${year}`];
  const days = [...new Set([`${day}`, padded(day)]), ...ORDINALS.map((ending) => `${day}${ending}`)];
  const spelled = [...new Set([`${month}`, padded(month)]), ...monthNames()[month - 1]!];
  for (const y of years)
    for (const m of spelled)
      for (const d of days) {
        yield d + m + y;
        yield m + d + y;
        yield y + m + d;
        yield y + d + m;
      }
}

function padded(value: number): string {
  return String(value).padStart(2, '0');
}
