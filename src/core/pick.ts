/**
 * The named fields of an object, in the order named.
 *
 * @example
 * ```ts
 * pick({ id: 'a', label: 1, note: '' }, ['label', 'id']) // => { label: 1, id: 'a' }
 * ```
 */
export function pick<T extends object, const Keys extends readonly (keyof T)[]>(object: T, keys: Keys) {
  return Object.fromEntries(keys.map((key) => [key, object[key]])) as Pick<T, Keys[number]>;
}
