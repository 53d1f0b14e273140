type Snake<Key extends string> = Key extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Key;

/**
 * An object in its file form: the keys in snake_case, the values as they are.
 *
 * @example
 * ```ts
 * snakeKeys({ nItems: 3, name: 'a' }) // => { n_items: 3, name: 'a' }
 * ```
 */
export function snakeKeys<T extends object>(object: T) {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  ) as { readonly [Key in keyof T & string as Snake<Key>]: T[Key] };
}
