/** Wrong tokens that an address may present before it has to wait. */
const FREE_TRIES = 5;
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 5 * 60_000;
/** An address that made no mistake for this long starts again. */
const FORGET_AFTER_MS = 60 * 60_000;
const MAX_ADDRESSES = 10_000;

/**
 * Makes each address wait after wrong tokens, twice as long after each. Right tokens are not
 * checked here: they always pass.
 */
export function tokenThrottle(now: () => number = Date.now) {
  const addresses = new Map<string, { readonly n: number; readonly until: number }>();
  return {
    /**
     * Notes a wrong token. Returns the seconds that the address still has to wait; 0 if it did not
     * have to.
     */
    addWrong(address: string): number {
      const before = addresses.get(address);
      const left = (before?.until ?? 0) - now();
      if (left > 0) return Math.ceil(left / 1000);
      const n = before === undefined || -left > FORGET_AFTER_MS ? 1 : before.n + 1;
      const wait = n <= FREE_TRIES ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (n - FREE_TRIES - 1), MAX_WAIT_MS);
      addresses.delete(address);
      addresses.set(address, { n, until: now() + wait });
      if (addresses.size > MAX_ADDRESSES) addresses.delete(addresses.keys().next().value!);
      return 0;
    },
  };
}
