import { hash } from 'node:crypto';
import { KrisisError } from './krisis-error.ts';

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
  if (typeof value === 'number' && !Number.isFinite(value)) throw notJson(String(value), value);
  if (value === null || typeof value === 'boolean' || typeof value === 'string' || typeof value === 'number')
    return JSON.stringify(value);
  throw notJson(`a ${typeof value}`, value);
}

function sortedText(value: object): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  // As in JSON.stringify, a date becomes its text; a Map or Set would silently become {}.
  if ('toJSON' in value && typeof value.toJSON === 'function') return canonicalJson(value.toJSON());
  if (value instanceof Map || value instanceof Set) throw notJson(`a ${value.constructor.name}`, value);
  let text = '{';
  for (const [key, name] of sortedKeys(Object.keys(value))) {
    const inner = (value as Record<string, unknown>)[key];
    if (inner === undefined) continue;
    text += `${text === '{' ? '' : ','}${name}${canonicalJson(inner)}`;
  }
  return `${text}}`;
}

type SortedKeys = readonly (readonly [key: string, name: string])[];

/** Records of a suite have the same few lists of keys: the last list of each length and first key is remembered. */
const known = new Map<string, { readonly keys: readonly string[]; readonly sorted: SortedKeys }>();
const MOST_KNOWN = 1_000;

/** The keys in order, each with its text in JSON. */
function sortedKeys(keys: readonly string[]): SortedKeys {
  const place = `${keys.length} ${keys[0]}`;
  const found = known.get(place);
  if (found?.keys.every((key, i) => key === keys[i])) return found.sorted;
  const sorted = keys.toSorted().map((key) => [key, `${JSON.stringify(key)}:`] as const);
  if (known.size === MOST_KNOWN) known.clear();
  known.set(place, { keys, sorted });
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
