import { mean } from '../sample-statistics.ts';

/** What became of a row: `right`, `wrong` (also an invalid reply), `abstained`, `failed` (no reply after all tries), or `pending`. */
export type SequenceState = 'right' | 'wrong' | 'abstained' | 'failed' | 'pending';

/**
 * How many rows may be looked at: those before the first pending one. Looking at whatever has finished would favour the answers that come quickly.
 *
 * @example
 * ```ts
 * finishedPrefix(['right', 'wrong', 'failed', 'pending', 'right']) // => 3
 * ```
 */
export function finishedPrefix(states: readonly SequenceState[]): number {
  const first = states.indexOf('pending');
  return first === -1 ? states.length : first;
}

/**
 * One value per patient: the mean over the patient's counted rows, in the order in which patients first appear. A row outside the denominator is null; a patient with no counted row is skipped.
 *
 * @example
 * ```ts
 * patientMeans(['p2', 'p2', 'p1', 'p3'], [1, 0, 1, null]) // => [0.5, 1]
 * ```
 */
export function patientMeans(
  clusters: readonly (string | number)[],
  values: readonly (number | null)[],
): number[] {
  const counted = new Map<string | number, number[]>();
  for (const [i, cluster] of clusters.entries()) {
    const own = counted.get(cluster) ?? [];
    counted.set(cluster, own);
    const value = values[i];
    if (value !== null && value !== undefined) own.push(value);
  }
  return [...counted.values()].flatMap((values) => mean(values) ?? []);
}
