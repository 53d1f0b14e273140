/**
 * A camelCase name as files spell it.
 *
 * @example
 * ```ts
 * snakeCase('nRecords') // => 'n_records'
 * ```
 */
export function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The same for types. */
export type SnakeCase<Key extends string> = Key extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Key;

/** An object in its file form: the same values under snake_case names. */
export function snakeKeys<T extends object>(object: T) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [snakeCase(key), value])) as {
    readonly [Key in keyof T & string as SnakeCase<Key>]: T[Key];
  };
}

type CamelCase<Key extends string> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Key;

/** An object of a file as code spells it: the same values under camelCase names. */
export function camelKeys<T extends object>(object: T) {
  const camelCase = (key: string) => key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [camelCase(key), value])) as {
    readonly [Key in keyof T & string as CamelCase<Key>]: T[Key];
  };
}
