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

/** An object in its file form: the same values under snake_case names. */
export function snakeKeys(object: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [snakeCase(key), value]));
}
