import { readNumber } from '../../../core/delimited/index.ts';
import type { UciColumn, UciValue } from './columns.ts';

/**
 * Whether a cell says "not measured": nothing, blanks, or a question mark.
 *
 * @example
 * ```ts
 * isMissing('\t?') // => true
 * isMissing('0') // => false
 * ```
 */
export function isMissing(cell: string): boolean {
  const text = cell.trim();
  return text === '' || text === '?';
}

/**
 * The value of a cell, null for missing, or undefined when it cannot be one of this column. Blanks and tabs around it
 * do not matter, nor does letter case. A number may lie outside the column's range: see `isPossible`.
 *
 * @example
 * ```ts
 * readCell(' yes', { kind: 'categorical', allowed: ['yes', 'no'] }) // => 'yes'
 * readCell('1.02', { kind: 'ordinal', allowed: [1.015, 1.02] }) // => 1.02
 * readCell('?', { kind: 'numeric' }) // => null
 * readCell('12 mg', { kind: 'numeric' }) // => undefined
 * ```
 */
export function readCell(cell: string, column: UciColumn): UciValue | undefined {
  if (isMissing(cell)) return null;
  const text = cell.trim().toLowerCase();
  if (column.kind === 'categorical') {
    const { allowed, synonyms = {} } = column;
    const word = Object.hasOwn(synonyms, text) ? synonyms[text]! : text;
    return allowed.includes(word) ? word : undefined;
  }
  const value = readNumber(text);
  if (value === null) return undefined;
  return column.kind === 'numeric' || column.allowed.includes(value) ? value : undefined;
}

/**
 * Whether a value that was read is one a living person can have.
 *
 * @example
 * ```ts
 * isPossible(39, { kind: 'numeric', range: [1, 15] }) // => false
 * isPossible(null, { kind: 'numeric', range: [1, 15] }) // => true
 * ```
 */
export function isPossible(value: UciValue, column: UciColumn): boolean {
  if (column.kind !== 'numeric' || typeof value !== 'number') return true;
  return value >= column.range[0] && value <= column.range[1];
}
