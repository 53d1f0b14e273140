import { argumentError } from '../core/index.ts';
import { criticalValue } from './critical-value.ts';
import { wilsonWithZ } from './wilson-with-z.ts';

/**
 * Wilson score interval of a proportion x/n:
 * (x + z^2/2 -+ z sqrt(x (n - x)/n + z^2/4)) / (n + z^2).
 *
 * n = 0: null. No successes: the lower bound is exactly 0; n of n: the upper bound is exactly 1. The interval always
 * contains x/n. Throws when x is not between 0 and n. Source: Wilson 1927.
 *
 * @example
 * ```ts
 * wilsonInterval(3, 7) // => [0.15821985525146975, 0.7495416354723428]
 * wilsonInterval(0, 10) // => [0, 0.2775327998628892]
 * wilsonInterval(118, 126, 0.9) // => [0.8908062144816151, 0.9638578275472582]
 * wilsonInterval(0, 0) // => null
 * ```
 */
export function wilsonInterval(successes: number, n: number, level = 0.95): [number, number] | null {
  const z = criticalValue(level);
  if (n !== 0 && !(successes >= 0 && successes <= n))
    throw argumentError(`${successes} successes of ${n}; expected a count between 0 and n`, successes);
  return wilsonWithZ(successes, n, z);
}
