import { hash } from 'node:crypto';
import { hasSameItems } from './collections.ts';
import { KrisisError } from './errors.ts';

/**
 * JSON in a canonical form: keys sorted, no white space, no undefined, no NaN. Equal content gives equal text on every machine.
 *
 * @example
 * ```ts
 * canonicalJson({ b: 1, a: [true, null, 'x'] }) // => '{"a":[true,null,"x"],"b":1}'
 * ```
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return scalarText(value);
  return isCanonical(value) ? JSON.stringify(value) : sortedText(value);
}

/** Whether `JSON.stringify` gives the canonical form as it is, which is several times faster: all keys are in order, and there is nothing in it that JSON lacks. */
function isCanonical(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      break;
    default:
      return false;
  }
  if (value === null) return true;
  if (Array.isArray(value)) return value.every(isCanonical);
  const prototype = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in value) return false;
  let previous: string | null = null;
  for (const key of Object.keys(value)) {
    if (previous !== null && previous > key) return false;
    if (!isCanonical((value as Record<string, unknown>)[key])) return false;
    previous = key;
  }
  return true;
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return `${value}`;
  if (value === null || typeof value === 'boolean') return `${value}`;
  throw notJson(typeof value === 'number' ? `${value}` : `a ${typeof value}`, value);
}

function sortedText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return scalarText(value);
  if (Array.isArray(value)) return listText(value);
  // As in JSON.stringify, a date becomes its text; a Map or Set would silently become {}.
  if ('toJSON' in value && typeof value.toJSON === 'function') return canonicalJson(value.toJSON());
  if (value instanceof Map || value instanceof Set) throw notJson(`a ${value.constructor.name}`, value);
  let text = '';
  for (const { key, name } of sortedKeys(Object.keys(value))) {
    const inner = (value as Record<string, unknown>)[key];
    if (inner !== undefined) text += `${text === '' ? '{' : ','}${name}${sortedText(inner)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

function listText(values: readonly unknown[]): string {
  let text = '[';
  for (let i = 0; i < values.length; i++) text += `${i === 0 ? '' : ','}${sortedText(values[i])}`;
  return `${text}]`;
}

/** A key with its text in JSON. */
interface NamedKey {
  readonly key: string;
  readonly name: string;
}

/** Records of a suite have the same few lists of keys: the latest lists of each length are remembered. */
const known: { readonly keys: readonly string[]; readonly sorted: readonly NamedKey[] }[][] = [];
const MAX_KEYS = 1_000;
const MAX_LISTS = 8;

function sortedKeys(keys: readonly string[]): readonly NamedKey[] {
  const lists = known[keys.length] ?? [];
  for (const list of lists) if (hasSameItems(list.keys, keys)) return list.sorted;
  const sorted = keys.toSorted().map((key) => ({ key, name: `${JSON.stringify(key)}:` }));
  if (lists.length === MAX_LISTS) lists.pop();
  lists.unshift({ keys, sorted });
  if (keys.length <= MAX_KEYS) known[keys.length] = lists;
  return sorted;
}

function notJson(what: string, value: unknown): KrisisError {
  return new KrisisError(`${what} has no JSON form`, { code: 'ERR_NOT_JSON', value });
}

/**
 * SHA-256 of the canonical JSON, in hexadecimal.
 *
 * @example
 * ```ts
 * contentHash({ b: 1, a: 2 }) === contentHash({ a: 2, b: 1 }) // => true
 * contentHash('').length // => 64
 * ```
 */
export function contentHash(value: unknown): string {
  return hash('sha256', canonicalJson(value));
}
