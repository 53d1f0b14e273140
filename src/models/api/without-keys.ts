import { foldText, listReadings } from '../../core/folded-text.ts';

/** Shorter keys would be found in any text. */
const MIN_KEY = 4;

/**
 * Replaces the user's keys in a provider's text by `[key]`: also in capitals, split by blanks or line breaks, or with accents apart.
 *
 * @example
 * ```ts
 * withoutKeys('wrong key se-cr\net1!', ['secret1']) // => 'wrong key [key]!'
 * ```
 */
export function withoutKeys(text: string, keys: readonly string[]): string {
  const wanted = keys.map((key) => foldText(key).text).filter(({ length }) => length >= MIN_KEY);
  if (wanted.length === 0) return text;
  const places = listReadings(text).flatMap((reading) => findPlaces(reading, wanted));
  let clean = '';
  let kept = 0;
  for (const [start, end] of places.sort(([a], [b]) => a - b)) {
    // A key within another is part of the same place.
    if (start >= kept) clean += `${text.slice(kept, start)}[key]`;
    kept = Math.max(kept, end);
  }
  return clean + text.slice(kept);
}

function findPlaces(text: string, wanted: readonly string[]): [start: number, end: number][] {
  const { text: folded, starts, ends } = foldText(text);
  return wanted.flatMap((key) => {
    const found: [start: number, end: number][] = [];
    for (let at = folded.indexOf(key); at >= 0; at = folded.indexOf(key, at + key.length))
      found.push([starts[at]!, ends[at + key.length - 1]!]);
    return found;
  });
}
