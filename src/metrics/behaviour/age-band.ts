/**
 * The pre-specified age group of an age in years; text that is not a number is a group of its own.
 *
 * @example
 * ```ts
 * ageBand('64.5') // => '45-64'
 * ageBand('75') // => '75+'
 * ageBand('unknown') // => 'unknown'
 * ```
 */
export function ageBand(age: string): string {
  const years = Number(age);
  if (age.trim() === '' || Number.isNaN(years)) return age;
  if (years < 18) return '0-17';
  if (years < 45) return '18-44';
  if (years < 65) return '45-64';
  return years < 75 ? '65-74' : '75+';
}
