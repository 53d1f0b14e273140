import { KrisisError, type PatientRecord } from '../core/index.ts';
import type { RunFile } from '../store/index.ts';
import { type AnyTask, type Suite, stratifiedOrder } from '../suites/index.ts';
import { isProtected } from './egress.ts';

/** Records in the order in which they are asked; they need not all be in memory. */
export interface RecordSource {
  readonly length: number;
  id(index: number): string;
  features(index: number): PatientRecord['features'];
}

interface Selection {
  readonly suite: Suite<AnyTask>;
  /** In place of the suite's own. */
  readonly records?: readonly PatientRecord[] | undefined;
  readonly limit?: number | undefined;
  readonly seed: number;
  /** `stratified`: every limit is a fair sample, and a larger one continues from a smaller. `given`: as the suite has them. */
  readonly order: 'stratified' | 'given';
}

/**
 * Enters the records of a suite, and selects those that are asked. Of a suite that streams, only ids and labels stay in memory: features are read back from the file. Features of a protected
 * suite are not in the file, so they stay in memory.
 */
export async function selectRecords(store: RunFile, selection: Selection): Promise<RecordSource> {
  const { suite, limit, seed } = selection;
  const mayStore = !isProtected(suite) && !store.isInMemory;
  const streams = mayStore && suite.stream !== undefined && (suite.canStream?.() ?? true);
  const inMemory = selection.records ?? (streams ? null : await suite.load());
  const ids: string[] = [];
  const labels: string[] = [];
  const entries = function* () {
    for (const record of inMemory ?? suite.stream!()) {
      yield [ids.length, record] as const;
      ids.push(record.id);
      labels.push(String(record.label));
    }
  };
  store.setRecords(entries(), mayStore, limit === undefined);
  checkIds(ids);
  const all = ids.map((_, position) => position);
  const ordered =
    selection.order === 'given' ? all : stratifiedOrder(all, (position) => labels[position]!, seed);
  const chosen = ordered.slice(0, limit);
  if (store.nRecords() < ids.length) store.select(chosen);
  return {
    length: chosen.length,
    id: (index) => ids[chosen[index]!]!,
    features: (index) =>
      inMemory === null ? store.features(chosen[index]!)! : inMemory[chosen[index]!]!.features,
  };
}

/** Rows are known by the id of their record: two records of one id would share an answer. */
export function checkIds(ids: Iterable<string>): void {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id))
      throw new KrisisError(`two records have the id "${id}"; ids must be unique`, {
        code: 'ERR_DUPLICATE_RECORD_ID',
        value: id,
      });
    seen.add(id);
  }
  if (seen.size === 0)
    throw new KrisisError('there are no records to evaluate: the suite gave none', {
      code: 'ERR_NO_RECORDS',
    });
}
