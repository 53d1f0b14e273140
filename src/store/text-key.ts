import { randomBytes } from 'node:crypto';
import type { Statements } from './statements.ts';
import { hasHash, type TextHashes, textHash } from './stored-text.ts';

const SALT_BYTES = 16;

/** The key with which a protected run hashes texts that it does not keep. Other runs have none. */
export interface TextKey extends TextHashes {
  /** Whether a text has this hash; null when that cannot be said without a key that is not there. */
  hasHash(text: string, hash: string): boolean | null;
  /** Reads the key again before it is next used: its entry was rolled back, or the manifest has changed. */
  forget(): void;
}

export function textKey(sql: Statements, sensitivity: () => string | null): TextKey {
  let known: { readonly value: string | null } | null = null;
  const value = () => {
    known ??= { value: storedKey(sql, sensitivity) };
    return known.value;
  };
  return {
    hash: (text, salt = null) => textHash(text, salt ?? value()),
    newSalt: () => (value() === null ? null : randomBytes(SALT_BYTES).toString('hex')),
    hasHash: (text, hash) => hasHash(text, hash, value()),
    forget() {
      known = null;
    },
  };
}

/** Made when a protected run is first written to, and again in a copy, which has none. */
function storedKey(sql: Statements, sensitivity: () => string | null): string | null {
  const query = "SELECT value FROM secrets WHERE name = 'text_key'";
  if (sql.get(query) === undefined && sql.isOurs && sensitivity() === 'protected')
    sql.run("INSERT INTO secrets VALUES ('text_key', ?)", randomBytes(32).toString('hex'));
  return (sql.get(query)?.value ?? null) as string | null;
}
