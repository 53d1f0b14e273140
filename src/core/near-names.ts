const MAX_SUGGESTIONS = 5;
const MAX_LISTED = 40;

/**
 * The names most similar to a mistyped one, best first: names that contain it or are few letters away.
 *
 * @example
 * ```ts
 * nearNames('selectiv_acuracy', ['accuracy', 'selective_accuracy', 'augrc']) // => ['selective_accuracy']
 * nearNames('accuracy_', ['accuracy', 'balanced_accuracy']) // => ['accuracy', 'balanced_accuracy']
 * nearNames('zzz', ['accuracy']) // => []
 * ```
 */
export function nearNames(typed: string, names: readonly string[]): string[] {
  const scored = [...new Set(names)].map((name) => ({ name, distance: editDistance(typed, name) }));
  return scored
    .filter(
      ({ name, distance }) =>
        (distance <= Math.max(2, Math.floor(Math.max(typed.length, name.length) / 3)) &&
          distance < name.length) ||
        (typed.length >= 3 && (name.includes(typed) || typed.includes(name))) ||
        sharesEnding(typed, name),
    )
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name, 'en'))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name);
}

/**
 * How a message about an unknown name ends: with the names it may have been meant for, or with those there are. `most` is how many of these are listed. Default: 40.
 *
 * @example
 * ```ts
 * didYouMean('acuracy', ['accuracy', 'augrc']) // => 'did you mean accuracy?'
 * didYouMean('zzz', ['accuracy', 'augrc']) // => 'available: accuracy, augrc'
 * ```
 */
export function didYouMean(typed: string, names: readonly string[], most = MAX_LISTED): string {
  const near = nearNames(typed, names);
  if (near.length > 0) return `did you mean ${near.join(', ')}?`;
  if (names.length === 0) return 'there are none';
  const rest = names.length > most ? `, and ${names.length - most} more` : '';
  return `available: ${names.slice(0, most).join(', ')}${rest}`;
}

function sharesEnding(typed: string, name: string): boolean {
  const word = typed.split('_').findLast((part) => part !== '') ?? '';
  return word.length >= 4 && name.split('_').includes(word);
}

/** The number of letters to insert, delete or change (Levenshtein 1966). */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      current[j] = Math.min(
        previous[j]! + 1,
        current[j - 1]! + 1,
        previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
    }
    previous = current;
  }
  return previous[b.length]!;
}

/**
 * What to say about a metadata key that nothing has: the keys there are, and the one that was probably meant.
 *
 * @example
 * ```ts
 * missingKeyText('row', 'sexx', ['sex', 'age']) // => 'no row has metadata.sexx; did you mean sex? The keys are: age, sex'
 * ```
 */
export function missingKeyText(what: 'row' | 'case', key: string, keys: Iterable<string>): string {
  const known = [...keys].sort();
  const [near] = nearNames(key, known);
  const meant = near === undefined ? '' : `did you mean ${near}? `;
  const listed = known.length === 0 ? `${what}s have no metadata` : `The keys are: ${known.join(', ')}`;
  return `no ${what} has metadata.${key}; ${meant}${meant === '' ? listed.replace(/^T/, 't') : listed}`;
}
