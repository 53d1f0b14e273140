/**
 * The nearest multiple of `step`, a power of ten.
 *
 * The value is first rounded to nine decimals. Machines may disagree about the last bit of `Math.exp`; without this,
 * a value that sits on the edge between two steps could be reported differently on each.
 *
 * @example
 * ```ts
 * roundToStep(1.2349999999999, 0.01) // => 1.24
 * roundToStep(7849, 100) // => 7800
 * roundToStep(13.26, 0.1) // => 13.3
 * ```
 */
export function roundToStep(value: number, step: number): number {
  const settled = Math.round(value * 1e9) / 1e9;
  if (step >= 1) return Math.round(settled / step) * step;
  const perUnit = Math.round(1 / step);
  return Math.round(settled * perUnit) / perUnit;
}
