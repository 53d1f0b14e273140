import { nearNames } from './near-names.ts';

/**
 * What to say about a metadata key that nothing has: the keys there are, and the one that was probably meant.
 *
 * @example
 * ```ts
 * missingKeyText('row', 'sexx', ['sex', 'age']) // => 'no row has metadata.sexx; did you mean sex? The keys are: age, sex'
 * ```
 */
export function missingKeyText(what: 'row' | 'record', key: string, keys: Iterable<string>): string {
  const known = [...keys].sort();
  const [near] = nearNames(key, known);
  const meant = near === undefined ? '' : `did you mean ${near}? `;
  const listed = known.length === 0 ? `${what}s have no metadata` : `The keys are: ${known.join(', ')}`;
  return `no ${what} has metadata.${key}; ${meant}${meant === '' ? listed.replace(/^T/, 't') : listed}`;
}
