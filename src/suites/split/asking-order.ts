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
  const fullKey = ({ id, cluster }: Asked) => `${keyed(cluster ?? id)}${keyed(id)}`;
  // The beginnings of the keys as numbers nearly always decide; the keys of a million records would take hundreds of megabytes.
  const clusterKeys = Float64Array.from(records, ({ id, cluster }) => beginning(keyed(cluster ?? id)));
  const ownKeys = Float64Array.from(records, ({ id, cluster }, i) =>
    cluster == null ? clusterKeys[i]! : beginning(keyed(id)),
  );
  return records
    .map((_, position) => position)
    .sort((a, b) => {
      if (clusterKeys[a] !== clusterKeys[b]) return clusterKeys[a]! - clusterKeys[b]!;
      const inOneCluster = (records[a]!.cluster ?? null) === (records[b]!.cluster ?? null);
      if (inOneCluster && ownKeys[a] !== ownKeys[b]) return ownKeys[a]! - ownKeys[b]!;
      return fullKey(records[a]!) < fullKey(records[b]!) ? -1 : 1;
    });
}

/** The first 52 bits of a key in hexadecimal, which sort as the key does. */
function beginning(key: string): number {
  return Number.parseInt(key.slice(0, 13), 16);
}
