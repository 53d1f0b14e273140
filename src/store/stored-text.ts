import { createHmac, hash } from 'node:crypto';

/** Longer texts are cut, and the rest is stored as length and hash: one reply must not fill the disk. In UTF-16 code units. */
export const MAX_STORED_CHARACTERS = 2 ** 20;

/** How the texts of a run are hashed. */
export interface TextHashes {
  /** The hash of a text of this run: with its salt where it has one, else with the key of a protected run. */
  hash(text: string, salt?: string | null): string;
  /** A salt for a text that is kept; null for a run that is not protected. */
  newSalt(): string | null;
}

/** A text of a model as a run file holds it. */
interface StoredText {
  /** What is kept of it; null when it is withheld. */
  readonly rawResponse: string | null;
  /** The key of its hashes, so that a present text can always be checked. Null in a run that is not protected. */
  readonly replySalt: string | null;
  /** Of the whole text. */
  readonly replyLength: number | null;
  /** Of the whole text. */
  readonly replyHash: string | null;
  /** Of what is kept, where that is not the whole. */
  readonly keptHash: string | null;
}

const NO_TEXT: StoredText = {
  rawResponse: null,
  replySalt: null,
  replyLength: null,
  replyHash: null,
  keptHash: null,
};

/** Cuts a text to what is kept of it. `withheld` is measured and hashed, and not kept. */
export function storedText(text: string | null, withheld: string | null, key: TextHashes): StoredText {
  // SQLite stores UTF-8, which has no lone surrogates.
  const whole = (text ?? withheld)?.toWellFormed();
  if (whole === undefined) return NO_TEXT;
  const kept = text === null ? null : cutText(whole);
  const salt = kept === null ? null : key.newSalt();
  return {
    rawResponse: kept,
    replySalt: salt,
    replyLength: whole.length,
    replyHash: key.hash(whole, salt),
    keptHash: kept === null || kept.length === whole.length ? null : key.hash(kept, salt),
  };
}

/** Cuts a text to what is stored of it, never between the halves of a surrogate pair. */
export function cutText(text: string): string {
  const kept = text.slice(0, MAX_STORED_CHARACTERS);
  return kept.isWellFormed() ? kept : kept.slice(0, -1);
}

/**
 * The hash of a text. In a protected run it has a random key, so that a guess at the text cannot be tested: the salt of a kept text, or for a withheld text the key of the run. The hash names
 * its key, because a copy of a run has none, and gets another when it is continued.
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
