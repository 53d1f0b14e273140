/** A bucket that holds `burst` tokens and gets `perSecond` new ones; times are in milliseconds. */
export function tokenBucket(perSecond: number, burst: number) {
  let tokens = burst;
  let filledAt: number | null = null;
  return {
    /** Takes a token if there is one: 0; otherwise the seconds until there will be one. */
    take(now: number): number {
      const passed = Math.max(0, now - (filledAt ?? now)) / 1000;
      tokens = Math.min(burst, tokens + passed * perSecond);
      filledAt = now;
      if (tokens < 1) return (1 - tokens) / perSecond;
      tokens -= 1;
      return 0;
    },
  };
}
