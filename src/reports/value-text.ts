import { isObject } from '../core/collections.ts';
import { BREAK, muted } from './document/blocks.ts';
import type { Inline } from './document/document.ts';
import { cut, inWords } from './words.ts';

const MAX_LENGTH = 2000;
const MAX_LINES = 40;
/** Values longer than this get a line of their own. */
const LONG = 30;

/** A value from a JSON file for people: pairs in a row where they are short, one a line where they are not. */
export function valueText(value: unknown): Inline {
  if (!isObject(value)) return cut(plainText(value), MAX_LENGTH);
  const entries = Object.entries(value);
  const isShort = entries.every(([, inner]) => !isObject(inner) && plainText(inner).length <= LONG);
  if (isShort) return pairs(value);
  const left = entries.length - MAX_LINES;
  return [
    ...entries
      .slice(0, MAX_LINES)
      .map(([key, inner], i) => [
        i === 0 ? '' : BREAK,
        muted(`${inWords(key)}:`),
        ' ',
        isObject(inner) ? pairs(inner) : cut(plainText(inner), MAX_LENGTH),
      ]),
    left > 0 ? [BREAK, `${left} more are in the run file`] : '',
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
