import type { VisibleRecord } from '../models/index.ts';

export const REDACTED = '[redacted]';

/**
 * Redacts the values of these records in a text of a model or a provider: protected data must not reach a file as a quotation. Words and numbers are compared whole, so that
 * a 3 in a value does not hide every 3; numbers by value, so that 61.0 is 61.
 */
export function scrub(text: string, records: readonly VisibleRecord[]): string {
  const texts = new Set<string>();
  const numbers = new Set<number>();
  for (const value of valuesIn(records.map(({ features }) => features))) {
    const trimmed = typeof value === 'string' ? value.trim() : value;
    if (trimmed === '') continue;
    if (typeof trimmed === 'number' || Number.isFinite(Number(trimmed))) numbers.add(Number(trimmed));
    else texts.add(trimmed);
  }
  const longestFirst = [...texts].sort((a, b) => b.length - a.length);
  const withoutTexts = longestFirst.reduce(
    (left, value) => left.replace(new RegExp(bounded(value), 'giu'), REDACTED),
    text,
  );
  return withoutTexts.replace(/(?<![\p{L}\d.])[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\p{L}\d])/giu, (found) =>
    numbers.has(Number(found)) ? REDACTED : found,
  );
}

/** The texts and numbers in a value, however deep. */
export function* valuesIn(value: unknown): Generator<string | number> {
  if (typeof value === 'string' || typeof value === 'number') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* valuesIn(inner);
}

/** The text as a whole word, with any white space where it has some. */
function bounded(value: string): string {
  const escaped = value.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const start = /^[\p{L}\d]/u.test(value) ? '(?<![\\p{L}\\d])' : '';
  const end = /[\p{L}\d]$/u.test(value) ? '(?![\\p{L}\\d])' : '';
  return `${start}${escaped.join('\\s+')}${end}`;
}
