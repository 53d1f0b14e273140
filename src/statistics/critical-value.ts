import { argumentError } from '../core/index.ts';
import { normalQuantile } from './special-functions.ts';

/**
 * The z of a two-sided interval: Phi^-1((1 + level) / 2). Throws when the level is not between 0 and 1, which
 * catches a level written as 95.
 *
 * @example
 * ```ts
 * criticalValue(0.95) // => 1.959963984540054
 * criticalValue(0.9) // => 1.6448536269514722
 * ```
 */
export function criticalValue(level: number): number {
  assertLevel(level);
  return normalQuantile((1 + level) / 2);
}

/** Throws unless 0 < level < 1. */
export function assertLevel(level: number): void {
  if (!(level > 0 && level < 1)) {
    throw argumentError(
      `confidence level is ${level}; expected a number between 0 and 1, such as 0.95`,
      level,
    );
  }
}
