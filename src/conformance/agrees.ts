/**
 * Whether a result agrees with the expected one: null matches null, undefined and NaN; numbers agree within the tolerance, objects by the expected keys
 * (others are allowed), arrays element by element.
 *
 * @example
 * ```ts
 * agrees(Number.NaN, null, 0) // => true
 * agrees({ a: 1.0000001, b: 2 }, { a: 1 }, 1e-6) // => true
 * agrees([1, 2], [1, 2, 3], 0) // => false
 * ```
 */
export function agrees(got: unknown, expected: unknown, tolerance: number): boolean {
  if (expected === null || expected === undefined)
    return got === null || got === undefined || Number.isNaN(got);
  if (typeof expected === 'number') {
    return typeof got === 'number' && (got === expected || Math.abs(got - expected) <= tolerance);
  }
  if (Array.isArray(expected)) {
    return (
      Array.isArray(got) &&
      got.length === expected.length &&
      expected.every((value, i) => agrees(got[i], value, tolerance))
    );
  }
  if (typeof expected === 'object') {
    if (typeof got !== 'object' || got === null || Array.isArray(got)) return false;
    return Object.entries(expected).every(([key, value]) =>
      agrees((got as Record<string, unknown>)[key], value, tolerance),
    );
  }
  return got === expected;
}
