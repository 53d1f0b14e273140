import { createHmac, hash } from 'node:crypto';

/** Longer texts are cut, and the rest is stored as length and hash: one reply must not fill the disk. In UTF-16 code units. */
export const MAX_STORED_CHARACTERS = 2 ** 20;

/** A text of a model as a run file holds it, in the order of its columns. */
export interface StoredText {
  /** What is kept of it; null when it is withheld. */
  readonly text: string | null;
  /** Of the whole text. */
  readonly length: number | null;
  /** Of the whole text. */
  readonly hash: string | null;
  /** Of what is kept, where that is not the whole. */
  readonly keptHash: string | null;
}

const NO_TEXT: StoredText = { text: null, length: null, hash: null, keptHash: null };

/** Cuts a text to what is kept of it. `withheld` is measured and hashed, and not kept. */
export function storedText(
  text: string | null,
  withheld: string | null,
  hashOf: (text: string) => string,
): StoredText {
  // SQLite stores UTF-8, which has no lone surrogates.
  const whole = (text ?? withheld)?.toWellFormed();
  if (whole === undefined) return NO_TEXT;
  const kept = text === null ? null : cut(whole);
  return {
    text: kept,
    length: whole.length,
    hash: hashOf(whole),
    keptHash: kept === null || kept.length === whole.length ? null : hashOf(kept),
  };
}

/** Never between the halves of a surrogate pair. */
function cut(text: string): string {
  const kept = text.slice(0, MAX_STORED_CHARACTERS);
  return kept.isWellFormed() ? kept : kept.slice(0, -1);
}

/**
 * The hash of a text. With the random key of a protected run, a guess at the text cannot be tested without the run. The hash then names its key, because a copy of a run has none, and gets
 * another when it is continued.
 */
export function textHash(text: string, key: string | null): string {
  if (key === null) return hash('sha256', text);
  return `${keyName(key)}:${createHmac('sha256', key).update(text).digest('hex')}`;
}

/** Whether a text has this hash; null when that cannot be said without a key that is not there. */
export function hasHash(text: string, expected: string, key: string | null): boolean | null {
  const [named, keyed] = expected.split(':');
  if (keyed === undefined) return textHash(text, null) === expected;
  return key !== null && keyName(key) === named ? textHash(text, key) === expected : null;
}

function keyName(key: string): string {
  return hash('sha256', key).slice(0, 8);
}
