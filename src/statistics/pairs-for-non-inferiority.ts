import { argumentError } from '../core/index.ts';
import { MIN_CLUSTERS } from './cluster-non-inferiority.ts';
import { assertLevel, criticalValue } from './critical-value.ts';
import { DEFAULT_LEVEL } from './score-options.ts';
import { normalQuantile, studentQuantile } from './special-functions.ts';

/**
 * The fewest pairs, or clusters of pairs, that can show a candidate to be no worse by more than a margin: two models that never differ
 * have the limits -+z^2 / (n + z^2), over clusters with Student's t for z and at least 10 clusters.
 *
 * @example
 * ```ts
 * fewestPairs({ margin: 0.1 }) // => 35
 * fewestPairs({ margin: 0.05 }) // => 73
 * fewestPairs({ margin: 0.1, clustered: true }) // => 38
 * ```
 */
export function fewestPairs({
  margin,
  level = DEFAULT_LEVEL,
  clustered = false,
}: {
  readonly margin: number;
  readonly level?: number;
  readonly clustered?: boolean;
}): number {
  assertMargin(margin);
  assertLevel(level);
  if (!clustered) return countAbove(criticalValue(level), margin);
  let n = MIN_CLUSTERS;
  // t falls as clusters are added, so each number needed is at most the one before.
  while (n < countAbove(studentQuantile((1 + level) / 2, n - 1), margin)) n += 1;
  return n;
}

/** The smallest n with z^2 / (n + z^2) < margin. */
function countAbove(z: number, margin: number): number {
  return Math.max(1, Math.floor((z * z * (1 - margin)) / margin + 1e-9) + 1);
}

/**
 * About how many pairs show with some power that a candidate is no worse by more than a margin, if it is as good as the reference and the
 * two differ on a share psi of the records: psi (z(1 - alpha/2) + z(power))^2 / margin^2, and never fewer than `fewestPairs`.
 *
 * @example
 * ```ts
 * pairsForNonInferiority({ margin: 0.1, discordantProportion: 0.1 }) // => 79
 * ```
 */
export function pairsForNonInferiority({
  margin,
  discordantProportion,
  level = DEFAULT_LEVEL,
  power = 0.8,
}: {
  readonly margin: number;
  readonly discordantProportion: number;
  readonly level?: number;
  readonly power?: number;
}): number {
  const z = criticalValue(level) + normalQuantile(power);
  return Math.max(fewestPairs({ margin, level }), Math.ceil((discordantProportion * z * z) / margin ** 2));
}

function assertMargin(margin: number): void {
  if (!(margin > 0 && margin <= 1))
    throw argumentError(
      `the margin is ${margin}; expected a number above 0 and up to 1, such as 0.02`,
      margin,
    );
}
