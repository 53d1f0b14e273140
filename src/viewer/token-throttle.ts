/** Wrong tokens that an address may present before it has to wait. */
const FREE_TRIES = 5;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 5 * 60_000;
/** An address that made no mistake for this long starts again. */
const FORGET_AFTER_MS = 60 * 60_000;
const MOST_ADDRESSES = 10_000;

/** Makes each address wait after wrong tokens, twice as long after each: guessing a token takes for ever, and other addresses notice nothing. */
export function tokenThrottle(now: () => number = Date.now) {
  const wrong = new Map<string, { n: number; until: number }>();
  return {
    /** Seconds until the address may try again; 0 if it may now. */
    secondsLeft(address: string): number {
      const left = (wrong.get(address)?.until ?? 0) - now();
      return left <= 0 ? 0 : Math.ceil(left / 1000);
    },
    /** Notes a wrong token. */
    wrong(address: string): void {
      const before = wrong.get(address);
      const n = before === undefined || now() - before.until > FORGET_AFTER_MS ? 1 : before.n + 1;
      const wait = n <= FREE_TRIES ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (n - FREE_TRIES - 1), LONGEST_WAIT_MS);
      wrong.delete(address);
      wrong.set(address, { n, until: now() + wait });
      if (wrong.size > MOST_ADDRESSES) wrong.delete(wrong.keys().next().value!);
    },
  };
}
