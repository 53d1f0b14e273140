/**
 * Wilson score interval of a proportion x/n for a normal deviate z: (x + z^2/2 -+ z sqrt(x (n - x)/n + z^2/4)) / (n + z^2). n = 0: null. `successes` lies between 0 and n.
 *
 * It needs no special function, so that it also runs in a browser.
 *
 * @example
 * ```ts
 * wilsonWithZ(0, 10, 1.959963984540054) // => [0, 0.2775327998628892]
 * ```
 */
export function wilsonWithZ(successes: number, n: number, z: number): [number, number] | null {
  if (n === 0) return null;
  const share = successes / n;
  const centre = successes + (z * z) / 2;
  const half = z * Math.sqrt(successes * (1 - share) + (z * z) / 4);
  const lower = successes === 0 ? 0 : (centre - half) / (n + z * z);
  const upper = successes === n ? 1 : (centre + half) / (n + z * z);
  // Rounding at a tiny level could put x/n a last digit outside.
  return [Math.max(0, Math.min(lower, share)), Math.min(1, Math.max(upper, share))];
}
