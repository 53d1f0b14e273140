import { randomBytes } from 'node:crypto';
import type { Statements } from './statements.ts';
import { hasHash, textHash } from './stored-text.ts';

/** The key with which a protected run hashes its texts. Other runs have none. */
export interface TextKey {
  /** The hash of a text of this run, with the run's own key when its data are protected. */
  hash(text: string): string;
  /** Whether a text has this hash; null when that cannot be said without a key that is not there. */
  hasHash(text: string, hash: string): boolean | null;
  /** Reads the key again before it is next used: its entry was rolled back, or the manifest has changed. */
  forget(): void;
}

export function textKey(sql: Statements): TextKey {
  let known: { readonly value: string | null } | null = null;
  const value = () => {
    known ??= { value: storedKey(sql) };
    return known.value;
  };
  return {
    hash: (text) => textHash(text, value()),
    hasHash: (text, hash) => hasHash(text, hash, value()),
    forget() {
      known = null;
    },
  };
}

/** Made when a protected run is first written to, and again in a copy, which has none. */
function storedKey(sql: Statements): string | null {
  const query = "SELECT value FROM secrets WHERE name = 'text_key'";
  if (sql.get(query) === undefined && sql.isOurs && isProtected(sql))
    sql.run("INSERT INTO secrets VALUES ('text_key', ?)", randomBytes(32).toString('hex'));
  return (sql.get(query)?.value ?? null) as string | null;
}

function isProtected(sql: Statements): boolean {
  return sql.get("SELECT value FROM manifest WHERE key = 'sensitivity'")?.value === '"protected"';
}
