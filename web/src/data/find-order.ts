import type { Source } from './source.ts';

/** The order in which runs can be compared, the first as the baseline: the one that was asked for, or, in an export, which holds each pair once, the other one. Null where there is none. */
export function findOrder(ids: readonly string[], has: Source['has']): readonly string[] | null {
  return [ids, ids.toReversed()].find((runs) => has('compare', { runs })) ?? null;
}
