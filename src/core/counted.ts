/**
 * A number with its noun.
 *
 * @example
 * ```ts
 * counted(1, 'row') // => '1 row'
 * counted(0, 'row') // => '0 rows'
 * ```
 */
export function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
