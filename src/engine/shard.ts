import { argumentError } from '../core/errors.ts';

/** One part of a run that several processes share without talking to each other: every `of`-th planned call, beginning with the `index`-th (from 1). */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** More parts than calls are of no use to anybody. */
const MAX_PARTS = 10_000;

export function checkShard({ index, of }: Shard): void {
  const isWhole = Number.isInteger(index) && Number.isInteger(of);
  if (isWhole && index >= 1 && index <= of && of <= MAX_PARTS) return;
  throw argumentError(
    `shard is ${index}/${of}; expected a part and the number of parts, such as 3/8`,
    `${index}/${of}`,
  );
}

/**
 * The places of a selection that belong to a shard. Planned calls are dealt out, not records: a batch stays together, so its key and its prompt are those of the undivided run, and all
 * repeats of a record are in one shard.
 *
 * @example
 * ```ts
 * dealtTo({ index: 2, of: 3 }, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], 2) // => ['c', 'd']
 * ```
 */
export function dealtTo<T>({ index, of }: Shard, selected: readonly T[], batchSize: number): T[] {
  return selected.filter((_, place) => Math.floor(place / batchSize) % of === index - 1);
}

/** The name of the part at the end of a path: `run.shard-3-of-8.db`. */
export function shardPath(path: string, { index, of }: Shard): string {
  return path.replace(/(\.db)?$/, `.shard-${index}-of-${of}.db`);
}
