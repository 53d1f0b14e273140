import type { BaselineRule } from './baseline-backend.ts';

/**
 * Abstains on every record. Never wrong and never of use: its deferral recall is 1 and its answer rate 0, so it shows what a
 * metric gives to caution alone.
 *
 * @example
 * ```ts
 * alwaysDefer()({ id: 'a', features: {} }).abstained // => true
 * ```
 */
export function alwaysDefer(): BaselineRule {
  return () => ({ prediction: null, abstained: true, says: 'always defers' });
}
