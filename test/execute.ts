import type { PatientRecord } from '../src/core/patient-record.ts';
import { type AskOptions, askLabels, checkCounts, nDone } from '../src/engine/ask-labels.ts';
import { type CallContextOptions, createCallContext } from '../src/engine/call-context.ts';
import { nWorkers } from '../src/engine/pacing/concurrency-limit.ts';
import { type Progress, ProgressCounter } from '../src/engine/progress.ts';
import { checkIds, type RecordSource } from '../src/engine/select-records.ts';
import { runWorkers } from '../src/engine/workers.ts';

export interface ExecuteOptions extends CallContextOptions, Omit<AskOptions, 'counter' | 'repeats'> {
  readonly records: readonly PatientRecord[] | RecordSource;
  readonly repeats?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** The asking alone, without a run around it: for tests and measurements. */
export async function execute(options: ExecuteOptions): Promise<Progress> {
  const { journal, repeats = 1 } = options;
  const records = sourceOf(options.records);
  checkCounts({ ...options, repeats });
  checkIds(Array.from({ length: records.length }, (_, index) => records.id(index)));
  const total = records.length * repeats;
  const counter = new ProgressCounter(total, nDone(records, journal, repeats), options.onProgress);
  const step = askLabels(records, createCallContext(options, counter), { ...options, repeats, counter });
  const concurrency = nWorkers(options.maxConcurrency, step.places);
  await runWorkers(step.pending(), concurrency, options.signal, step.perform);
  return counter.current;
}

function sourceOf(records: ExecuteOptions['records']): RecordSource {
  if (!Array.isArray(records)) return records as RecordSource;
  const list = records as readonly PatientRecord[];
  return { length: list.length, id: (index) => list[index]!.id, features: (index) => list[index]!.features };
}
