import type { VisibleRecord } from '../models/index.ts';
import { REDACTED, valuesIn } from './scrub.ts';

/** Words of three letters and more, and numbers; shorter words identify no patient. */
const PIECE = /[\p{L}\p{M}]{3,}|(?<![\p{L}\d.])\d+(?:\.\d+)?/gu;

/**
 * Redacts each word and number of a text that occurs in the values of these records: also half of a sentence, and a word that a truncated reply broke off in. `keep` lists words that reveal
 * nothing, such as labels.
 */
export function scrubWords(
  text: string,
  records: readonly VisibleRecord[],
  keep: ReadonlySet<string>,
): string {
  const known = new Set<string>();
  for (const value of valuesIn(records.map(({ features }) => features)))
    for (const [piece] of String(value).matchAll(PIECE)) known.add(piece.toLowerCase());
  for (const word of keep) known.delete(word.toLowerCase());
  return text.replace(PIECE, (found, offset: number) => {
    const piece = found.toLowerCase();
    const isLast = offset + found.length === text.length;
    const isQuoted = known.has(piece) || (isLast && !keep.has(piece) && beginsAny(piece, known));
    return isQuoted ? REDACTED : found;
  });
}

function beginsAny(piece: string, known: ReadonlySet<string>): boolean {
  return known.values().some((word) => word.startsWith(piece));
}
