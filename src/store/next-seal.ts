import type { ChainHead } from './chain.ts';
import type { Manifest } from './manifest.ts';
import type { RunEvent, SealOptions } from './run-event.ts';
import { isSignedBy, publicPart, readSeal, type Seal, type SealKey, scoresHash, signSeal } from './seal.ts';
import type { Statements } from './statements.ts';

/** The last seal of a run; null before the first. */
export function lastSeal(events: readonly RunEvent[]): Seal | null {
  const last = events.findLast(({ kind }) => kind === 'sealed');
  return last === undefined ? null : readSeal(last.data);
}

/** The first entry that no seal of this key covers. The event of a seal is the entry after those that it covers. */
export function firstUnsigned(events: readonly RunEvent[], signKey: SealKey): number {
  const publicKey = publicPart(signKey);
  const covered = events.flatMap(({ kind, data }) => {
    const seal = kind === 'sealed' ? readSeal(data) : null;
    return seal !== null && isSignedBy(seal, publicKey) ? seal.entries + 1 : [];
  });
  return Math.max(0, ...covered) + 1;
}

/** A seal of everything up to the end of the chain, together with the scores. It names the seal before, and is signed when there is a key. */
export function nextSeal(
  sql: Statements,
  { hash, entries }: ChainHead,
  last: Seal | null,
  { scores, ledger }: Manifest,
  { scoresHash: unstored, krisisVersion, signKey }: SealOptions,
): Seal {
  // The event of a seal is the entry after the last that it covers.
  const entry = last && sql.get('SELECT hash FROM chain WHERE seq = ?', last.entries + 1);
  const seal: Seal = {
    head: hash,
    entries,
    scores_hash: scores !== null && ledger !== null ? scoresHash(scores, ledger) : unstored,
    krisis_version: krisisVersion,
    sealed_at: new Date().toISOString(),
    previous: (entry?.hash ?? null) as string | null,
  };
  return signKey ? signSeal(seal, signKey) : seal;
}
