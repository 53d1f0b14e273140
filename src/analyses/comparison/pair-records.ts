import { z } from 'zod';
import { count } from '../../core/codec.ts';
import type { Columns } from '../../metrics/columns.ts';
import { NO_LABEL } from '../../metrics/label-table.ts';
import { type PairClusters, pairClusters } from './pair-clusters.ts';
import type { RecordRows } from './record-rows.ts';
import type { ScoredRun } from './scored-run.ts';

const none = count.default(0);
/** Records that are not compared, each counted once, in the first class that fits. */
export const leftOutSchema = z.object({
  failedInBaseline: none,
  failedInModel: none,
  notRunInBaseline: none,
  notRunInModel: none,
  onlyInBaseline: none,
  onlyInModel: none,
  /** The same id with another truth: only possible between different suites. */
  truthDiffers: none,
});
export type LeftOut = z.infer<typeof leftOutSchema>;
export const NOTHING_LEFT_OUT = leftOutSchema.parse({});

/** Two runs side by side, record by record. */
export interface Pairing {
  readonly n: number;
  readonly ids: readonly string[];
  readonly baseline: RecordRows;
  readonly model: RecordRows;
  readonly leftOut: LeftOut;
  /** Whether some record has several rows in a run. */
  readonly hasRepeats: boolean;
  /** Records that are drawn together; null where each is alone. */
  readonly clusters: PairClusters | null;
}

/**
 * Pairs the records that both runs have scored, in the order of their ids: neither the order of rows nor which run comes first makes a
 * difference to what is drawn later. `cluster` is the metadata key by which records are drawn together.
 */
export function pairRecords(baseline: ScoredRun, model: ScoredRun, cluster?: string): Pairing {
  const leftOut = { ...NOTHING_LEFT_OUT };
  const ours = truths(baseline.table.scored);
  const theirs = truths(model.table.scored);
  const ids: string[] = [];
  for (const id of new Set([...ours.keys(), ...baseline.unscored.keys()])) {
    if (!theirs.has(id) && !model.unscored.has(id)) leftOut.onlyInBaseline += 1;
    else if (!ours.has(id))
      leftOut[baseline.unscored.get(id) === 'failed' ? 'failedInBaseline' : 'notRunInBaseline'] += 1;
    else if (!theirs.has(id))
      leftOut[model.unscored.get(id) === 'failed' ? 'failedInModel' : 'notRunInModel'] += 1;
    else if (ours.get(id) !== theirs.get(id)) leftOut.truthDiffers += 1;
    else ids.push(id);
  }
  for (const id of new Set([...theirs.keys(), ...model.unscored.keys()]))
    if (!ours.has(id) && !baseline.unscored.has(id)) leftOut.onlyInModel += 1;
  ids.sort();
  const rows = [baseline, model].map(({ table }) => findRows(table.scored, ids)) as [RecordRows, RecordRows];
  const hasRepeats = rows.some(({ rows }) => rows.length > ids.length);
  const clusters = pairClusters(rows, cluster);
  return { n: ids.length, ids, baseline: rows[0], model: rows[1], leftOut, hasRepeats, clusters };
}

/** The truth of every record that has a scored row. */
function truths({ record, truth, labels, n, score }: Columns): Map<string, string | number | null> {
  const found = new Map<string, string | number | null>();
  for (let i = 0; i < n; i++) {
    if (record.codes[i] !== NO_LABEL)
      found.set(
        record.values[record.codes[i]!]!,
        truth[i] === NO_LABEL || score !== null ? null : labels.keys[truth[i]!]!,
      );
  }
  return found;
}

function findRows(columns: Columns, ids: readonly string[]): RecordRows {
  const place = new Map(ids.map((id, r) => [id, r]));
  const recordOf = Int32Array.from(columns.record.values, (id) => place.get(id) ?? -1);
  const start = new Int32Array(ids.length + 1);
  const { codes } = columns.record;
  for (let i = 0; i < columns.n; i++) {
    const r = codes[i] === NO_LABEL ? -1 : recordOf[codes[i]!]!;
    if (r >= 0) start[r + 1]! += 1;
  }
  for (let r = 0; r < ids.length; r++) start[r + 1]! += start[r]!;
  const next = start.slice();
  const rows = new Int32Array(start[ids.length]!);
  for (let i = 0; i < columns.n; i++) {
    const r = codes[i] === NO_LABEL ? -1 : recordOf[codes[i]!]!;
    if (r >= 0) rows[next[r]!++] = i;
  }
  return { columns, start, rows };
}
