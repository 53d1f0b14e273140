import { createHmac, hash, randomBytes } from 'node:crypto';
import type { Statements } from './statements.ts';

/** Longer texts are cut, and the rest is stored as length and hash: one reply must not fill the disk. In UTF-16 code units. */
export const MAX_STORED_CHARACTERS = 2 ** 20;

const SALT_BYTES = 16;
const NO_TEXT = { rawResponse: null, replySalt: null, replyLength: null, replyHash: null, keptHash: null };

/** The columns of a text of a model. It is cut to what is kept; `withheld` is measured and hashed, but not kept. */
export function storedText(
  text: string | null,
  withheld: string | null,
  key: Pick<TextKey, 'hash' | 'newSalt'>,
) {
  // SQLite stores UTF-8, which has no lone surrogates.
  const whole = (text ?? withheld)?.toWellFormed();
  if (whole === undefined) return NO_TEXT;
  const kept = text === null ? null : cutText(whole);
  // The key of its hashes, so that a present text can always be checked.
  const salt = kept === null ? null : key.newSalt();
  return {
    rawResponse: kept,
    replySalt: salt,
    replyLength: whole.length,
    replyHash: key.hash(whole, salt),
    /** Of what is kept, where that is not the whole. */
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

function keyName(key: string): string {
  return hash('sha256', key).slice(0, 8);
}

/** The key with which a protected run hashes texts that it does not keep. Other runs have none. */
export class TextKey {
  readonly #sql: Statements;
  readonly #isProtected: () => boolean;
  #stored: { readonly key: string | null } | null = null;

  constructor(sql: Statements, isProtected: () => boolean) {
    this.#sql = sql;
    this.#isProtected = isProtected;
  }

  /** The hash of a text of this run: with its salt where it has one, else with the key of a protected run. */
  hash(text: string, salt: string | null = null): string {
    return textHash(text, salt ?? this.#key());
  }

  /** A salt for a text that is kept; null for a run that is not protected. */
  newSalt(): string | null {
    return this.#key() === null ? null : randomBytes(SALT_BYTES).toString('hex');
  }

  /** Whether a text has this hash; null when that cannot be said without a key that is not there. */
  hasHash(text: string, expected: string): boolean | null {
    const [named, keyed] = expected.split(':');
    if (keyed === undefined) return textHash(text, null) === expected;
    const key = this.#key();
    return key !== null && keyName(key) === named ? textHash(text, key) === expected : null;
  }

  /** Reads the key again before it is next used: its entry was rolled back, or the manifest has changed. */
  forget(): void {
    this.#stored = null;
  }

  /** Made when a protected run is first written to, and again in a copy, which has none. */
  #key(): string | null {
    if (this.#stored !== null) return this.#stored.key;
    const query = "SELECT value FROM secrets WHERE name = 'text_key'";
    if (this.#sql.get(query) === undefined && this.#sql.isOurs && this.#isProtected())
      this.#sql.run("INSERT INTO secrets VALUES ('text_key', ?)", randomBytes(32).toString('hex'));
    const key = (this.#sql.get(query)?.value ?? null) as string | null;
    this.#stored = { key };
    return key;
  }
}
