import { hash } from 'node:crypto';
import { argumentError, KrisisError } from '../core/errors.ts';
import { getStratum, type PatientRecord } from '../core/patient-record.ts';
import { keysToKeep, type ScoringOptions } from '../metrics/score.ts';
import { protectedMetadata } from '../store/protected-data.ts';
import type { RunFile } from '../store/run-file.ts';
import { askingOrder } from '../suites/split/asking-order.ts';
import { stratifiedOrder } from '../suites/split/stratified.ts';
import type { Suite } from '../suites/suite.ts';
import type { AnyTask } from '../suites/task.ts';
import { isProtected } from './egress.ts';
import { dealtTo, type Shard } from './shard.ts';

/** Records in the order in which they are asked; they need not all be in memory. */
export interface RecordSource {
  readonly length: number;
  id(index: number): string;
  features(index: number): PatientRecord['features'];
}

/** The records of a run. */
interface SelectedRecords extends RecordSource {
  /** SHA-256 of all ids of the suite in the order of asking, whatever the limit. */
  readonly orderHash: string;
  /** Records of all shards together. */
  readonly nPlanned: number;
}

interface Selection {
  readonly suite: Suite<AnyTask>;
  /** In place of the suite's own. */
  readonly records?: readonly PatientRecord[] | undefined;
  readonly limit?: number | undefined;
  readonly seed: number;
  /** `blind`: a seeded order that is blind to labels. `given`: as the suite or the caller has them. */
  readonly order: 'blind' | 'given';
  /** The metadata key whose groups stay together. Default: the suite's own. */
  readonly cluster?: string | undefined;
  /** With a limit, takes the same share of every value of this metadata key, or of `label`. Default: the first of the order. */
  readonly stratify?: string | undefined;
  /** Only the records whose calls are dealt to this shard. Default: all. */
  readonly shard?: Shard | undefined;
  /** Records in one call: a shard takes whole calls. Default: 1. */
  readonly batchSize?: number | undefined;
  /** What the run is scored by: metadata that it needs is stored. */
  readonly scoring?: ScoringOptions | undefined;
}

/**
 * Enters the records of a suite, and selects those that are asked. Of a suite that streams, only the ids of the selected records stay in memory: features are read back from the file. Features of a
 * protected suite are not in the file, so those of the selected records stay in memory.
 */
export async function selectRecords(store: RunFile, selection: Selection): Promise<SelectedRecords> {
  const { suite, limit, seed, shard } = selection;
  const isPart = limit !== undefined || shard !== undefined;
  const mayStore = !isProtected(suite) && !store.isInMemory;
  const streams = (mayStore || isPart) && suite.stream !== undefined && (suite.canStream?.() ?? true);
  const inMemory = selection.records ?? (streams ? null : await suite.load());
  const ids: string[] = [];
  const asked: Parameters<typeof askingOrder>[0][number][] = [];
  const strata: string[] = [];
  const cluster = selection.cluster ?? suite.cluster;
  const pickMetadata = keptMetadata(suite, selection);
  const all = () => inMemory ?? suite.stream!();
  const note = (record: PatientRecord) => {
    ids.push(record.id);
    asked.push({ id: record.id, cluster: cluster === undefined ? null : toText(record.metadata[cluster]) });
    if (selection.stratify !== undefined) strata.push(readStratum(record, selection.stratify));
  };
  // All records are entered while they are made; of a part, only the chosen are.
  if (!isPart) store.records.enter(entries(note), mayStore);
  else for (const record of all()) note(record);
  checkIds(ids);
  const ordered = selection.order === 'given' ? ids.map((_, position) => position) : askingOrder(asked, seed);
  const planned = selection.stratify === undefined ? ordered.slice(0, limit) : sample();
  const chosen = shard === undefined ? planned : dealtTo(shard, planned, selection.batchSize ?? 1);
  const features = new Map<number, PatientRecord['features']>();
  if (isPart) {
    const wanted = new Set(chosen);
    const keep = (record: PatientRecord, position: number) => {
      if (inMemory === null && !mayStore) features.set(position, record.features);
    };
    store.records.enter(entries(keep, wanted), mayStore);
  }
  const orderHash = hash('sha256', JSON.stringify(ordered.map((position) => ids[position])));
  const chosenIds = chosen.map((position) => ids[position]!);
  const counts = { orderHash, nPlanned: planned.length };
  if (inMemory !== null) return source(chosenIds, counts, (index) => inMemory[chosen[index]!]!.features);
  if (mayStore) return source(chosenIds, counts, (index) => store.records.features(chosen[index]!)!);
  return source(chosenIds, counts, (index) => features.get(chosen[index]!)!);

  /** The records at these places, or all, as the file has them. */
  function* entries(seen: (record: PatientRecord, position: number) => void, places?: ReadonlySet<number>) {
    let position = 0;
    let left = places?.size ?? Number.POSITIVE_INFINITY;
    for (const record of all()) {
      if (left === 0) return;
      const place = position++;
      if (places !== undefined && !places.has(place)) continue;
      left -= 1;
      seen(record, place);
      yield [place, { ...record, metadata: pickMetadata(record.metadata) }] as const;
    }
  }

  /** The stratified sample in the order of asking. */
  function sample(): number[] {
    const taken = new Set(stratifiedOrder(ordered, (position) => strata[position]!, seed).slice(0, limit));
    return ordered.filter((position) => taken.has(position));
  }
}

/** Made apart from the selection, whose lists of all records must not live as long as the run. */
function source(
  ids: readonly string[],
  counts: Pick<SelectedRecords, 'orderHash' | 'nPlanned'>,
  features: RecordSource['features'],
): SelectedRecords {
  return { length: ids.length, ...counts, id: (index) => ids[index]!, features };
}

function toText(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value);
}

function readStratum({ label, metadata }: PatientRecord, key: string): string {
  if (key === 'label') return String(label);
  if (Object.hasOwn(metadata, key)) return String(metadata[key]);
  const known = Object.keys(metadata).join(', ');
  throw argumentError(`cannot stratify by "${key}": cases have label${known && `, ${known}`}`, key);
}

/** Refuses a key that a record lacks, before the run file is created. */
export async function checkStratify({
  suite,
  records,
  stratify,
}: Pick<Selection, 'suite' | 'records' | 'stratify'>): Promise<void> {
  if (stratify === undefined || stratify === 'label') return;
  const streams = suite.stream !== undefined && (suite.canStream?.() ?? true);
  for (const record of records ?? (streams ? suite.stream!() : await suite.load()))
    readStratum(record, stratify);
}

/** Rows are known by the id of their record: two records of one id would share an answer. */
export function checkIds(ids: Iterable<string>): void {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id))
      throw new KrisisError(`two cases have the id "${id}"; ids must be unique`, {
        code: 'ERR_DUPLICATE_RECORD_ID',
        value: id,
      });
    seen.add(id);
  }
  if (seen.size === 0)
    throw new KrisisError('there are no cases to evaluate: the suite gave none', {
      code: 'ERR_NO_RECORDS',
    });
}

/**
 * What a run stores of the metadata of its records. Of a protected suite that is what scores rest on: whether deferring is right, whether acting is urgent, the stratum of the task, groups that
 * the suite declares or the run is scored by, and clusters as running numbers.
 */
export function keptMetadata(
  suite: Suite<AnyTask>,
  {
    scoring,
    cluster,
  }: { readonly scoring?: ScoringOptions | undefined; readonly cluster?: string | undefined },
): (metadata: PatientRecord['metadata']) => PatientRecord['metadata'] {
  if (!isProtected(suite)) return (metadata) => metadata;
  const task = suite.task.kind === 'text' ? null : suite.task;
  return protectedMetadata({
    clusters: [suite.cluster, cluster, scoring?.cluster],
    groups: [...(suite.groups ?? []), ...keysToKeep(scoring ?? {}), getStratum(task).key],
    task,
  });
}
