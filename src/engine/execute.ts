import { KrisisError, type PatientRecord } from '../core/index.ts';
import type { VisibleRecord } from '../models/index.ts';
import type { Journal, JournalRow } from '../store/index.ts';
import type { Task } from '../suites/index.ts';
import { createLane, type LaneOptions } from './call-context.ts';
import { evaluateBatch } from './evaluate-batch.ts';
import { AUTO_CAP } from './pacing/concurrency-limit.ts';
import { type Progress, ProgressCounter } from './progress.ts';
import { runWorkers } from './workers.ts';

/** Records that need not all be in memory. */
export interface RecordSource {
  readonly length: number;
  id(index: number): string;
  features(index: number): PatientRecord['features'];
}

export interface ExecuteOptions extends LaneOptions {
  /** Records in the order in which they are asked: an array, or a source that gives them when they are needed. */
  readonly records: readonly PatientRecord[] | RecordSource;
  readonly task: Task;
  readonly batchSize: number;
  /** How often every record is asked. */
  readonly repeats?: number;
  /** Stops the run softly: calls under way come home, no new one is made. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/**
 * Asks the backend about every record that the journal does not know yet, in batches, several at a time. Which batch finishes first decides nothing: rows are known by
 * record and repeat. It ends when all is done, when the signal says stop, or when no call can succeed (an error; what is done is kept).
 */
export async function execute(options: ExecuteOptions): Promise<Progress> {
  const { journal, batchSize, maxConcurrency, repeats = 1 } = options;
  const records = sourceOf(options.records);
  atLeastOne('batch size', batchSize);
  if (maxConcurrency !== 'auto') atLeastOne('concurrency', maxConcurrency);
  atLeastOne('repeat', repeats);
  if (records.length === 0) throw new KrisisError('there are no records to evaluate: the suite gave none');
  eachOnce(records);
  const counter = new ProgressCounter(
    records.length * repeats,
    nDone(records, journal, repeats),
    options.onProgress,
  );
  const batches = planned(records, options, repeats);
  const lane = createLane(options, counter);
  const onRow = (row: JournalRow) => counter.row(row);
  await runWorkers(
    batches,
    maxConcurrency === 'auto' ? AUTO_CAP : maxConcurrency,
    options.signal,
    (next, signal) =>
      evaluateBatch(next.records, { ...lane, task: options.task, signal, onRow, repeat: next.repeat }),
  );
  return counter.current;
}

/** One generator for all workers: each takes the next batch. What the arm adds is added when a batch is taken, not before. */
function* planned(records: RecordSource, { batchSize, task }: ExecuteOptions, repeats: number) {
  const show = task.arms[task.defaultArm]?.show;
  const visible = (index: number): VisibleRecord => {
    const features = records.features(index);
    return { id: records.id(index), features: show ? show(features) : features };
  };
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (let from = 0; from < records.length; from += batchSize) {
      const size = Math.min(batchSize, records.length - from);
      yield { repeat, records: Array.from({ length: size }, (_, i) => visible(from + i)) };
    }
  }
}

function nDone(records: RecordSource, journal: Journal, repeats: number): number {
  let n = 0;
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (let index = 0; index < records.length; index++)
      if (journal.isDone(records.id(index), repeat)) n += 1;
  }
  return n;
}

function sourceOf(records: readonly PatientRecord[] | RecordSource): RecordSource {
  if (!Array.isArray(records)) return records as RecordSource;
  const list = records as readonly PatientRecord[];
  return { length: list.length, id: (index) => list[index]!.id, features: (index) => list[index]!.features };
}

/** Rows are known by the id of their record: two records of one id would share an answer. */
function eachOnce(records: RecordSource): void {
  const ids = new Set<string>();
  for (let index = 0; index < records.length; index++) {
    const id = records.id(index);
    if (ids.has(id))
      throw new KrisisError(`two records have the id "${id}"; ids must be unique`, { value: id });
    ids.add(id);
  }
}

function atLeastOne(what: string, value: number): void {
  if (!(Number.isInteger(value) && value >= 1))
    throw new KrisisError(`${what} is ${value}; expected a whole number, 1 or more`, { value });
}
