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
  if (typeof value === 'number' && !Number.isFinite(value)) throw notJson(String(value), value);
  if (value === null || typeof value === 'boolean' || typeof value === 'string' || typeof value === 'number')
    return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object') {
    // As in JSON.stringify, a date becomes its text; a Map or Set would silently become {}.
    if ('toJSON' in value && typeof value.toJSON === 'function') return canonicalJson(value.toJSON());
    if (value instanceof Map || value instanceof Set) throw notJson(`a ${value.constructor.name}`, value);
    let text = '{';
    for (const key of Object.keys(value).sort()) {
      const inner = (value as Record<string, unknown>)[key];
      if (inner === undefined) continue;
      text += `${text === '{' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(inner)}`;
    }
    return `${text}}`;
  }
  throw notJson(`a ${typeof value}`, value);
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
