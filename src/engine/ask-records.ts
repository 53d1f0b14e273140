import { argumentError } from '../core/index.ts';
import type { VisibleRecord } from '../models/index.ts';
import type { Journal, JournalRow } from '../store/index.ts';
import type { Task } from '../suites/index.ts';
import type { CallContext } from './call.ts';
import { evaluateBatch } from './evaluate-batch.ts';
import { nWorkers } from './pacing/concurrency-limit.ts';
import type { ProgressCounter } from './progress.ts';
import type { RecordSource } from './select-records.ts';
import { runWorkers } from './workers.ts';

export interface AskOptions {
  readonly task: Task;
  readonly batchSize: number;
  readonly repeats: number;
  readonly maxConcurrency: number | 'auto';
  readonly signal?: AbortSignal | undefined;
  readonly counter: ProgressCounter;
}

/**
 * Asks about every record that has no row yet, in batches, several at a time. Which batch finishes first decides nothing: rows are known by record and repeat. It ends when all is done, when
 * the signal says stop, or when no call can succeed (an error; what is done is kept).
 */
export async function askRecords(
  records: RecordSource,
  context: CallContext,
  { task, batchSize, repeats, maxConcurrency, signal, counter }: AskOptions,
): Promise<void> {
  const onRow = (row: JournalRow) => counter.row(row);
  await runWorkers(
    batchesOf(records, task, batchSize, repeats),
    nWorkers(maxConcurrency),
    signal,
    (batch, stop) =>
      evaluateBatch(batch.records, { ...context, task, signal: stop, onRow, repeat: batch.repeat }),
  );
}

/** One generator for all workers: each takes the next batch. What the arm adds is added when a batch is taken, not before. */
function* batchesOf(records: RecordSource, task: Task, batchSize: number, repeats: number) {
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

/** How many of these records have their rows. */
export function nDone(records: RecordSource, store: Pick<Journal, 'isDone'>, repeats: number): number {
  let n = 0;
  for (let repeat = 0; repeat < repeats; repeat++)
    for (let index = 0; index < records.length; index++) if (store.isDone(records.id(index), repeat)) n += 1;
  return n;
}

export function checkCounts(counts: {
  readonly batchSize: number;
  readonly maxConcurrency: number | 'auto';
  readonly repeats: number;
}): void {
  atLeastOne('batch size', counts.batchSize);
  if (counts.maxConcurrency !== 'auto') atLeastOne('concurrency', counts.maxConcurrency);
  atLeastOne('repeat', counts.repeats);
}

function atLeastOne(what: string, value: number): void {
  if (!(Number.isInteger(value) && value >= 1))
    throw argumentError(`${what} is ${value}; expected a whole number, 1 or more`, value);
}
