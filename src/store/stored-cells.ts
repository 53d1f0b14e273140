import { isObject } from '../core/collections.ts';
import type { Label } from '../core/label.ts';

/** A value that no version writes into this column. The message never quotes it. */
export class UnexpectedCell extends Error {}

/** A longer text or blob is neither written nor read: one cell must not fill the memory. In bytes. */
export const MAX_CELL_BYTES = 2 ** 26;

/** No suite nests deeper; code that walks a value recursively would run out of stack. */
const MAX_DEPTH = 100;

/** JSON as a file holds it. */
export function jsonCell(cell: unknown, what: string): unknown {
  let value: unknown;
  try {
    value = typeof cell === 'string' ? JSON.parse(cell) : undefined;
  } catch {
    throw new UnexpectedCell(`${what} is not JSON`);
  }
  if (value === undefined) throw new UnexpectedCell(`${what} is not text`);
  if (!isShallow(value, MAX_DEPTH)) throw new UnexpectedCell(`${what} is nested too deeply`);
  return value;
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  for (const key in value)
    if (!isShallow((value as Readonly<Record<string, unknown>>)[key], depth - 1)) return false;
  return true;
}

/** An object in JSON. */
export function objectCell(cell: unknown, what: string): Readonly<Record<string, unknown>> {
  const value = jsonCell(cell, what);
  if (!isObject(value)) throw new UnexpectedCell(`${what} is not an object`);
  return value;
}

/** A label in JSON, or null. */
export function labelCell(cell: unknown, what: string): Label | null {
  const value = jsonCell(cell, what);
  if (typeof value === 'object' && value !== null) throw new UnexpectedCell(`${what} is not a label`);
  return value as Label | null;
}
