import { randomBytes } from 'node:crypto';
import type { Connection } from './connect.ts';
import { PREFIX } from './protocol.ts';

const NONCE_BYTES = 16;
/** How far the clocks of workers may differ before a used question is forgotten too early. */
const MAX_CLOCK_SKEW_MS = 600_000;

/** Permission to ask once, part of every encrypted question. */
export interface Permit {
  readonly nonce: string;
  /** Milliseconds since 1970. Not by the clock of Redis: whoever runs the Redis could turn it back. */
  readonly expires: number;
}

export function createPermit(lifetimeMs: number): Permit {
  return { nonce: randomBytes(NONCE_BYTES).toString('base64url'), expires: Date.now() + lifetimeMs };
}

/**
 * Uses permits up. Resolves to false for one that was used before, by this process or another. Used permits are remembered in Redis, for all workers and across restarts, and in this process,
 * because someone who can delete keys from the Redis must not make one worker ask twice.
 */
export function createClaim(connection: Connection) {
  const used = new Map<string, number>();
  return async ({ nonce, expires }: Permit): Promise<boolean> => {
    const now = Date.now();
    for (const [old, until] of used) {
      if (until > now) break;
      used.delete(old);
    }
    const isUsedHere = used.has(nonce);
    const until = Math.max(expires, now) + MAX_CLOCK_SKEW_MS;
    used.set(nonce, until);
    // Also where it was used here: the key may have been deleted, and other workers need it.
    const key = `${PREFIX}:used:${nonce}`;
    const isFirst = (await connection.set(key, '', 'PX', Math.ceil(until - now), 'NX')) === 'OK';
    return isFirst && !isUsedHere;
  };
}
