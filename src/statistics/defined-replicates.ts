/** With more than this share of undefined replicates, an interval of the rest would describe another quantity. */
const MAX_UNDEFINED_SHARE = 0.05;

/**
 * The bootstrap replicates that have a value, in ascending order. Null, NaN and infinite ones are dropped; when more
 * than 5 % are dropped, or none is left, the result is null: no interval can be given.
 *
 * @example
 * ```ts
 * definedReplicates([0.3, 0.1, 0.2])?.join(' ') // => '0.1 0.2 0.3'
 * definedReplicates([0.3, null, 0.2]) // => null
 * definedReplicates([]) // => null
 * ```
 */
export function definedReplicates(replicates: ArrayLike<number | null>): Float64Array | null {
  const defined = new Float64Array(replicates.length);
  let n = 0;
  for (let i = 0; i < replicates.length; i++) {
    const value = replicates[i];
    if (typeof value === 'number' && Number.isFinite(value)) defined[n++] = value;
  }
  // In whole numbers, so that exactly 5 % is not lost to rounding.
  const tooMany = replicates.length - n > Math.floor(MAX_UNDEFINED_SHARE * replicates.length + 1e-9);
  return n === 0 || tooMany ? null : defined.subarray(0, n).sort();
}
