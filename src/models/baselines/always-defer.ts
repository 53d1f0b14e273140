import type { BaselineRule } from './baseline-backend.ts';

/**
 * Abstains on every record. Its deferral recall is 1 and its answer rate 0, so it shows how much a
 * metric rewards caution alone.
 *
 * @example
 * ```ts
 * alwaysDefer()({ id: 'a', features: {} }).abstained // => true
 * ```
 */
export function alwaysDefer(): BaselineRule {
  return () => ({ prediction: null, abstained: true, says: 'always defers' });
}
