import { foldText } from '../core/index.ts';

const LOCALES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl'];
const ORDINALS = ['st', 'nd', 'rd', 'th', 'stof', 'ndof', 'rdof', 'thof'];

/** Names of the months, folded, long and short, in the languages of `LOCALES`. */
const MONTHS = Array.from(
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

const NUMBERS = /(?<!\d)(\d{1,4})\s{0,3}[-/.,\s]\s{0,3}(\d{1,2})\s{0,3}[-/.,\s]\s{0,3}(\d{1,4})(?!\d)/g;
const DIGITS = /(?<!\d)(\d{4})(\d{2})(\d{2})(?!\d)/g;
const DAY_AND_MONTH =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th)?[\s.]{0,3}(?:of )?(\p{L}{3,12})[\s.,]{0,3}(\d{2,4})(?!\d)/giu;
const MONTH_AND_DAY = /(\p{L}{3,12})[\s.]{0,3}(\d{1,2})(?:st|nd|rd|th)?[\s,]{1,3}(\d{2,4})(?!\d)/giu;

/** The dates in a text in every spelling in which they may be quoted, folded: `19610503`, `351961`, `3may1961`, `may3rd61`, ... Where day and month can be exchanged, both readings. */
export function* dateSpellings(text: string): Generator<string> {
  for (const [, a, b, c] of text.matchAll(NUMBERS)) {
    yield* spellings(a!, Number(b), c!);
    yield* spellings(c!, Number(b), a!);
    yield* spellings(c!, Number(a), b!);
  }
  for (const [, year, month, day] of text.matchAll(DIGITS)) yield* spellings(year!, Number(month), day!);
  for (const [, day, name, year] of text.matchAll(DAY_AND_MONTH))
    yield* spellings(year!, monthOf(name!), day!);
  for (const [, name, day, year] of text.matchAll(MONTH_AND_DAY))
    yield* spellings(year!, monthOf(name!), day!);
}

function monthOf(name: string): number {
  const folded = foldText(name).text;
  return MONTHS.findIndex((names) => names.has(folded)) + 1;
}

function* spellings(year: string, month: number, dayText: string): Generator<string> {
  const day = Number(dayText);
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= 31 && year.length % 2 === 0;
  if (!isDate) return;
  const years = year.length === 4 ? [year, year.slice(2)] : [year, `19${year}`, `20${year}`];
  const days = [...new Set([`${day}`, padded(day)]), ...ORDINALS.map((ending) => `${day}${ending}`)];
  const months = [...new Set([`${month}`, padded(month)]), ...MONTHS[month - 1]!];
  for (const y of years)
    for (const m of months)
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
