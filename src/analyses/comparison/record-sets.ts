import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import type { RunResult } from '../../runs/run-result.ts';

export const recordSetSchema = z.object({
  /** Places of the runs in the comparison. */
  runs: z.array(z.number()),
  suiteName: z.string(),
  /** Null where it is not known which records the run has. */
  suiteHash: z.string().nullable(),
  nAsked: count,
});
/** Runs that were asked about the same records: only their curves may share a chart. */
export type RecordSet = Shape<typeof recordSetSchema>;

type Asked = Pick<RunResult, 'suiteName' | 'suiteHash' | 'nRecords' | 'ledger' | 'shard' | 'rows'>;

/** Groups runs by the records that they were asked about. A failed call was asked; what an early stop or a kill left out was not. */
export function recordSets(results: readonly Asked[]): RecordSet[] {
  const byHash = Map.groupBy(results.keys(), (r) => results[r]!.suiteHash ?? r);
  return [...byHash.values()].flatMap((runs) => {
    const { suiteName, suiteHash, nRecords } = results[runs[0]!]!;
    const areWhole = runs.every((r) => {
      const { ledger, shard, nRecords: own } = results[r]!;
      return ledger.not_run === 0 && shard === null && own === nRecords;
    });
    // One suite hash stands for one list of records, so rows are read only where some may be missing.
    if (areWhole) return [{ runs, suiteName, suiteHash, nAsked: nRecords }];
    const byIds = Map.groupBy(runs, (r) => JSON.stringify([...askedIds(results[r]!)].sort()));
    return [...byIds.values()].map((own) => ({
      runs: own,
      suiteName,
      suiteHash,
      nAsked: askedIds(results[own[0]!]!).size,
    }));
  });
}

function askedIds({ rows }: Asked): Set<string> {
  const ids = new Set<string>();
  for (const { id, state } of rows()) if (id !== null && state !== 'not_run') ids.add(id);
  return ids;
}
