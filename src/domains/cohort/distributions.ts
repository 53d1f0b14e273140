import { normalCdf, normalQuantile, type Random } from '../../statistics/index.ts';

/** A number in [low, high), each equally likely. */
export function uniform(random: Random, low: number, high: number): number {
  return low + (high - low) * random.float();
}

/** True with probability p. */
export function chance(random: Random, p: number): boolean {
  return random.float() < p;
}

/**
 * A standard normal number by inversion, which takes exactly one draw and, unlike Box-Muller, no function that may
 * round differently on another machine.
 */
export function normal(random: Random): number {
  return normalQuantile(aboveZero(random.float()));
}

/** A normal number that is known to lie between two bounds. */
export function truncatedNormal(
  random: Random,
  shape: { readonly mean: number; readonly sd: number; readonly low?: number; readonly high?: number },
): number {
  const { mean, sd, low = -Infinity, high = Infinity } = shape;
  // In the upper tail the distribution function is all ones: draw from the mirror image.
  if (low > mean)
    return 2 * mean - truncatedNormal(random, { mean, sd, low: 2 * mean - high, high: 2 * mean - low });
  const below = normalCdf((low - mean) / sd);
  const above = normalCdf((high - mean) / sd);
  const z = normalQuantile(aboveZero(below + (above - below) * random.float()));
  return Math.min(high, Math.max(low, mean + sd * z));
}

/** One of the keys, each as likely as its weight. */
export function choose<Key extends string>(random: Random, weights: Readonly<Record<Key, number>>): Key {
  let total = 0;
  for (const key in weights) total += weights[key];
  let rest = random.float() * total;
  for (const key in weights) {
    rest -= weights[key];
    if (rest < 0) return key;
  }
  return (Object.keys(weights) as Key[]).findLast((key) => weights[key] > 0)!;
}

/** The generator can return 0, where the normal quantile has no finite value. */
function aboveZero(u: number): number {
  return Math.max(u, 2 ** -53);
}

/** One of the items, each as likely as the others. */
export function oneOf<T>(random: Random, items: readonly T[]): T {
  return items[random.integer(items.length)]!;
}
