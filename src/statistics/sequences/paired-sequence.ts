import { meanEValue, meanSequence } from './mean-e-value.ts';
import { isAlpha, isShare } from './proportion-e-value.ts';

/**
 * Bounds of the mean difference a - b of two models on the same records that hold at all n at once. Null without records, and for scores outside [0, 1].
 *
 * @example
 * ```ts
 * pairedSequence([1, 1, 0, 1], [1, 0, 0, 1])!.map((bound) => bound.toFixed(3)) // => ['-0.655', '0.883']
 * ```
 */
export function pairedSequence(
  a: readonly number[],
  b: readonly number[],
  alphaSide = 0.025,
): readonly [number, number] | null {
  const values = pairedValues(a, b);
  const bounds = values && meanSequence(values, alphaSide);
  return bounds && [2 * bounds[0] - 1, 2 * bounds[1] - 1];
}

/** `superior` implies `non_inferior`; the stronger one is given. */
export type PairedStatus = 'superior' | 'non_inferior' | 'shown_worse' | 'undecided';

/**
 * What pairs of scores show about model a against model b, with a margin fixed beforehand: that it is superior, not inferior by more than the margin, or worse by more than it.
 * Null without records, and for scores outside [0, 1].
 *
 * @example
 * ```ts
 * pairedVerdict([1, 0, 1, 1], [1, 1, 1, 0], { margin: 0.02 }) // => { status: 'undecided', difference: 0 }
 * ```
 */
export function pairedVerdict(
  a: readonly number[],
  b: readonly number[],
  { margin, alphaSide = 0.025 }: { readonly margin: number; readonly alphaSide?: number },
): { readonly status: PairedStatus; readonly difference: number } | null {
  const values = pairedValues(a, b);
  if (values === null || values.length === 0 || !isShare(margin) || !isAlpha(alphaSide)) return null;
  const difference = (2 * values.reduce((sum, value) => sum + value, 0)) / values.length - 1;
  const shows = (limit: number, side: 'above' | 'below') => meanEValue(values, limit, side)! >= 1 / alphaSide;
  if (shows(1 / 2, 'above')) return { status: 'superior', difference };
  if (shows(marginLimit(margin), 'above')) return { status: 'non_inferior', difference };
  return { status: shows(marginLimit(margin), 'below') ? 'shown_worse' : 'undecided', difference };
}

/** A margin on the scale of `pairedValues`. */
function marginLimit(margin: number): number {
  return (1 - margin) / 2;
}

/** Differences a - b moved from [-1, 1] to [0, 1]: a tie is one half. */
function pairedValues(a: readonly number[], b: readonly number[]): number[] | null {
  if (a.length !== b.length || ![...a, ...b].every(isShare)) return null;
  return a.map((score, i) => (1 + score - b[i]!) / 2);
}
