import { argumentError } from '../core/errors.ts';
import type { VisibleRecord } from '../models/backend.ts';
import type { NewRow } from '../store/rows.ts';
import { MAX_REPEATS } from '../store/run.ts';
import type { Journal } from '../store/run-file.ts';
import type { Task } from '../suites/task.ts';
import type { Round } from './ask-again.ts';
import type { CallContext } from './call-request.ts';
import { evaluateBatch } from './evaluate-batch.ts';
import type { ProgressCounter } from './progress.ts';
import type { RecordSource } from './select-records.ts';
import type { Step } from './step.ts';
import type { WatchedStop } from './stop-early.ts';

export interface AskOptions {
  readonly task: Task;
  readonly batchSize: number;
  readonly repeats: number;
  readonly counter: ProgressCounter;
  /** Failed rows that are asked again, after those that were never asked. Default: none. */
  readonly again?: Round | null | undefined;
  /** Looks at every row, and ends the asking once it is decided. Repeats of a record are then asked one after the other. Default: all is asked. */
  readonly watched?: WatchedStop | null | undefined;
  readonly close?: (() => void) | undefined;
}

/** A batch that has something to ask. */
interface Batch {
  readonly repeat: number;
  readonly round: number;
  readonly records: readonly VisibleRecord[];
}

/**
 * The step that asks about every record that has no row yet, and again about those of a round, in batches. Which batch finishes first decides nothing: rows are known by record and repeat.
 */
export function askLabels(records: RecordSource, context: CallContext, options: AskOptions): Step<Batch> {
  const { task, counter, again, watched, repeats, close } = options;
  const { journal, backend } = context;
  const decided = new AbortController();
  const look = () => {
    if (watched?.isDecided()) decided.abort();
  };
  const onRow = (row: NewRow) => {
    watched?.enter(row);
    counter.row(row);
    look();
  };
  if (watched) counter.watch(watched.looks);
  look();
  return {
    places: backend.places,
    ended: watched ? decided.signal : undefined,
    *pending() {
      yield* listBatches(records, journal, options);
      if (again) yield* listBatches(records, journal, options, again);
    },
    perform: ({ records: batch, repeat, round }, signal) =>
      evaluateBatch(batch, { ...context, task, repeat, round, signal, onRow }),
    // Of all that was ever asked for: a smaller limit does not complete a larger run.
    isComplete: () =>
      journal.rows.countMissing(repeats) === 0 &&
      (!again ||
        again.open.every(({ recordId, repeat }) => journal.rows.isDone(recordId, repeat, again.round))),
    close,
  };
}

/**
 * The batches that have something to ask, one generator for all workers: each takes the next. What the arm adds is added when a batch is taken, not before. Batches are of all records, or of
 * all rows of a round, whatever is done of them, so that every process makes the same.
 */
export function* listBatches(
  records: RecordSource,
  store: Pick<Journal, 'rows'>,
  { task, batchSize, repeats, watched }: Pick<AskOptions, 'task' | 'batchSize' | 'repeats' | 'watched'>,
  again: Round | null = null,
): Generator<Batch> {
  const show = task.arms[task.defaultArm]?.show;
  const visible = (index: number): VisibleRecord => {
    const features = records.features(index);
    return { id: records.id(index), features: show ? show(features) : features };
  };
  const round = again?.round ?? 0;
  for (const { repeat, from } of places()) {
    const chosen = again?.indexes[repeat] ?? null;
    const size = Math.min(batchSize, countRecords(repeat) - from);
    const batch = Array.from({ length: size }, (_, i) => chosen?.[from + i] ?? from + i);
    if (batch.some((index) => !store.rows.isDone(records.id(index), repeat, round)))
      yield { repeat, round, records: batch.map(visible) };
  }

  function countRecords(repeat: number): number {
    return again?.indexes[repeat]?.length ?? records.length;
  }

  /** Where batches begin: one repeat after the other, or, where finished records are looked at, all repeats of a batch before the next. */
  function* places() {
    if (watched) {
      const longest = Math.max(...Array.from({ length: repeats }, (_, repeat) => countRecords(repeat)));
      for (let from = 0; from < longest; from += batchSize)
        for (let repeat = 0; repeat < repeats; repeat++)
          if (from < countRecords(repeat)) yield { repeat, from };
    } else
      for (let repeat = 0; repeat < repeats; repeat++)
        for (let from = 0; from < countRecords(repeat); from += batchSize) yield { repeat, from };
  }
}

/** How many of these records have their rows. */
export function nDone(records: RecordSource, store: Pick<Journal, 'rows'>, repeats: number): number {
  let n = 0;
  for (let repeat = 0; repeat < repeats; repeat++)
    for (let index = 0; index < records.length; index++)
      if (store.rows.isDone(records.id(index), repeat)) n += 1;
  return n;
}

export function checkCounts(counts: {
  readonly batchSize: number;
  readonly maxConcurrency: number | 'auto';
  readonly repeats: number;
}): void {
  atLeastOne('batch size', counts.batchSize);
  if (counts.maxConcurrency !== 'auto') atLeastOne('concurrency', counts.maxConcurrency);
  atLeastOne('repeat', counts.repeats, MAX_REPEATS);
}

function atLeastOne(what: string, value: number, most = Number.POSITIVE_INFINITY): void {
  if (Number.isInteger(value) && value >= 1 && value <= most) return;
  const range = most === Number.POSITIVE_INFINITY ? ', 1 or more' : ` from 1 to ${most}`;
  throw argumentError(`${what} is ${value}; expected a whole number${range}`, value);
}
