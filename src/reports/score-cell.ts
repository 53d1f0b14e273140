import type { Score } from '../core/index.ts';

/**
 * A score in a table of models or tasks: three digits, and its interval with two. The interval is rounded outward, so that it never loses its width: 0 of 1,000 is 0.00-0.01.
 *
 * @example
 * ```ts
 * scoreCell({ value: 0.8134, interval: { lower: 0.7831, upper: 0.8389 } }) // => '0.813 (0.78-0.84)'
 * ```
 */
export function scoreCell(
  score:
    | (Pick<Score, 'value'> & {
        readonly interval: { readonly lower: number; readonly upper: number } | null;
      })
    | undefined,
): string {
  if (score?.value == null) return '-';
  const { value, interval } = score;
  if (interval === null) return value.toFixed(3);
  // Bounds such as 0.28 are not exact in binary.
  const lower = Math.floor(interval.lower * 100 + 1e-9) / 100;
  const upper = Math.ceil(interval.upper * 100 - 1e-9) / 100;
  return `${value.toFixed(3)} (${lower.toFixed(2)}-${upper.toFixed(2)})`;
}
