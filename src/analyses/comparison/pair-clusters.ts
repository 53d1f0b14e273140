import { connected } from '../../core/collections.ts';
import { KrisisError } from '../../core/errors.ts';
import type { Columns } from '../../metrics/columns.ts';
import { NO_LABEL } from '../../metrics/label-table.ts';
import type { Scorecard } from '../../metrics/score.ts';
import type { RecordRows } from './record-rows.ts';

/** Paired records that are drawn together. */
export interface PairClusters {
  /** What records of a cluster share: a metadata key, or `call` for the prompts of either run. */
  readonly key: string;
  /** The cluster of each record. */
  readonly of: Int32Array;
  readonly n: number;
}

/**
 * The clusters of paired records; null where each is alone. Records connected through a call of either run are one cluster, unless `wanted`, a metadata
 * key, makes fewer clusters.
 */
export function pairClusters(
  runs: readonly [RecordRows, RecordRows],
  wanted: string | undefined,
): PairClusters | null {
  const call = clustersBy('call', runs, ({ call }) => call.codes);
  if (wanted === undefined || wanted === 'id' || wanted === 'call') return call;
  const asked = clustersBy(wanted, runs, ({ metadata }) => metadata.get(wanted)?.codes);
  if (asked === null && runs.every(({ columns }) => !columns.metadata.get(wanted)?.values.length))
    throw new KrisisError(`no case has metadata.${wanted}, so cases cannot be clustered by it`, {
      code: 'ERR_METADATA_KEY_MISSING',
      value: wanted,
    });
  if (call === null || asked === null) return call ?? asked;
  return asked.n <= call.n ? asked : call;
}

/** The metadata key that rows were clustered by; undefined where it was the record or the call, which are found again in any pairing. */
export function clusterKey({ cluster }: Pick<Scorecard['method'], 'cluster'>): string | undefined {
  return cluster === null || cluster === 'id' || cluster === 'call' ? undefined : cluster;
}

function clustersBy(
  key: string,
  runs: readonly [RecordRows, RecordRows],
  codesOf: (columns: Columns) => Int32Array | undefined,
): PairClusters | null {
  const n = runs[0].start.length - 1;
  const links = runs.flatMap(({ columns, start, rows }) => {
    const codes = codesOf(columns);
    if (codes === undefined) return [];
    const records = Map.groupBy(Array(n).keys(), (r) => codes[rows[start[r]!]!]!);
    records.delete(NO_LABEL);
    return [...records.values()];
  });
  const of = connected(n, links);
  const nClusters = of.reduce((most, cluster) => Math.max(most, cluster + 1), 0);
  return nClusters === n ? null : { key, of, n: nClusters };
}
