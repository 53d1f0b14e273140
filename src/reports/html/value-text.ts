import { type Content, html } from './html.ts';
import { cut, inWords } from './words.ts';

const MAX_LENGTH = 2000;
const MAX_LINES = 40;
/** Values longer than this stand on a line of their own. */
const LONG = 30;

/** A value out of a JSON file for people: pairs in a row where they are short, one a line where they are not. */
export function valueText(value: unknown): Content {
  if (!isRecord(value)) return cut(plainText(value), MAX_LENGTH);
  const entries = Object.entries(value);
  const short = entries.every(([, inner]) => !isRecord(inner) && plainText(inner).length <= LONG);
  if (short) return pairs(value);
  const left = entries.length - MAX_LINES;
  return [
    ...entries
      .slice(0, MAX_LINES)
      .map(
        ([key, inner], i) =>
          html`${i === 0 ? null : html`<br>`}<span class="muted">${inWords(key)}:</span> ${isRecord(inner) ? pairs(inner) : cut(plainText(inner), MAX_LENGTH)}`,
      ),
    left > 0 ? html`<br>${left} more are in the run file` : null,
  ];
}

/** Names and values in a row. */
export function pairs(value: Readonly<Record<string, unknown>>): string {
  const text = Object.entries(value)
    .map(([key, inner]) => `${inWords(key)}: ${plainText(inner)}`)
    .join(', ');
  return cut(text || 'none', MAX_LENGTH);
}

function plainText(value: unknown): string {
  if (Array.isArray(value)) return value.map(plainText).join(', ') || 'none';
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return String(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
