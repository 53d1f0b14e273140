import { hash } from 'node:crypto';

/** Names the order in a run's identity; another way to order gets another name. */
export const ASKING_ORDER = 'keyed_hash';

/** What the order of asking may look at: never a label, nor whether a record must be deferred. */
interface Asked {
  readonly id: string;
  /** What several records have in common, such as a patient. Default: nothing. */
  readonly cluster?: string | null | undefined;
}

/**
 * The positions of records in the order in which they are asked: by a keyed hash of the cluster, then of the record. It is blind to labels, so neighbours in a batch say nothing about each
 * other; it stays the same when records are added or a limit grows; and the records of a patient are together.
 *
 * @example
 * ```ts
 * askingOrder([{ id: 'a' }, { id: 'b' }, { id: 'c' }], 42) // => [0, 2, 1]
 * ```
 */
export function askingOrder(records: readonly Asked[], seed: number): number[] {
  const keyed = (id: string) => hash('sha256', JSON.stringify([seed, id])).slice(0, 32);
  const keys = records.map(({ id, cluster }) => `${keyed(cluster ?? id)}${keyed(id)}`);
  return records.map((_, position) => position).sort((a, b) => (keys[a]! < keys[b]! ? -1 : 1));
}
