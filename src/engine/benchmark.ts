import { evaluationResult, type PatientRecord } from '../core/index.ts';
import { keysToKeep, type Metric, type ScoringOptions, scoreTable, tableOf } from '../metrics/index.ts';
import type { Backend } from '../models/index.ts';
import {
  type BenchmarkResult,
  type BenchmarkRow,
  extrasOf,
  memoryResult,
  plannedBatches,
  scoringFor,
} from '../results/index.ts';
import { emptyRow, type JournalRow, MemoryJournal, PROCESS_WAITS } from '../store/index.ts';
import type { Suite, SuiteDescription } from '../suites/index.ts';
import { RunStopped } from './call.ts';
import { checkEgress, isProtected } from './egress.ts';
import { execute } from './execute.ts';
import type { Progress } from './progress.ts';
import { withArm } from './select-arm.ts';
import { checkPrice, Spending } from './spending.ts';

export interface BenchmarkOptions extends Omit<ScoringOptions, 'metrics'> {
  /** These metrics in place of the default bundle. */
  readonly metrics?: readonly Metric[];
  /** Records sent to the backend in one call. */
  readonly batchSize?: number;
  /** Calls under way at the same time. */
  readonly maxConcurrency?: number | 'auto';
  /** Calls, and tokens, a minute at most. */
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
  /** What the run may cost, in US dollars. */
  readonly budgetUsd?: number;
  /** Providers that protected data may be sent to. */
  readonly allowEgress?: readonly string[];
  /** How often every record is asked. */
  readonly repeats?: number;
  /** How the question is put; the task's default arm unless told. */
  readonly arm?: string;
}

export interface RunOptions {
  /** Records in place of the suite's own. */
  readonly records?: readonly PatientRecord[];
  readonly suiteDescription?: Partial<SuiteDescription> | Record<string, unknown>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Runs a suite against a backend.
 *
 * @example
 * ```ts
 * const suite = defineSuite({
 *   name: 'demo/yes-no',
 *   task: {
 *     id: 'demo/yes-no', labels: ['yes', 'no'], ordered: false, defaultArm: 'natural', arms: { natural: { instructions: 'Yes or no?' } },
 *     primaryEndpoint: { metric: 'accuracy', arm: 'natural', why: 'a demonstration' },
 *   },
 *   load: () => ['yes', 'no'].map((label) => ({ id: label, features: {}, label, metadata: {} })),
 * });
 * const backend = defineBackend({ name: 'always-yes', evaluate: () => ({ prediction: 'yes', abstained: false, confidence: 0.5 }) });
 * const result = await new Benchmark(suite, backend, { batchSize: 2 }).run();
 * result.metricScores.find((score) => score.name === 'accuracy')!.value // => 0.5
 * result.extras.n_api_batches // => 1
 * ```
 */
export class Benchmark {
  readonly #suite: Suite;
  readonly #backend: Backend;
  readonly #options: BenchmarkOptions;

  constructor(suite: Suite, backend: Backend, options: BenchmarkOptions = {}) {
    this.#suite = suite;
    this.#backend = backend;
    this.#options = options;
  }

  /** @throws RunStopped when no call can succeed (key, quota): its `result` holds what was finished. */
  async run(run: RunOptions = {}): Promise<BenchmarkResult> {
    const { batchSize = 8, maxConcurrency = 1, repeats = 1, metrics, arm, ...rest } = this.#options;
    const { requestsPerMinute, tokensPerMinute, budgetUsd, allowEgress, ...scoring } = rest;
    checkEgress(this.#suite, this.#backend, allowEgress);
    if (budgetUsd !== undefined) checkPrice(this.#backend);
    const records = run.records ?? (await this.#suite.load());
    const task = withArm(this.#suite.task, arm);
    const journal = new MemoryJournal();
    const started = performance.now();
    let waitedSeconds = 0;
    const stopped = await execute({
      records,
      task,
      backend: this.#backend,
      journal,
      batchSize,
      maxConcurrency,
      requestsPerMinute,
      tokensPerMinute,
      waits: PROCESS_WAITS,
      spending: budgetUsd === undefined ? undefined : new Spending(budgetUsd, 0),
      isProtected: isProtected(this.#suite),
      repeats,
      signal: run.signal,
      onProgress: (progress) => {
        waitedSeconds = progress.waitedSeconds;
        run.onProgress?.(progress);
      },
    }).then(
      () => null,
      (error: unknown) => {
        if (error instanceof RunStopped) return error;
        throw error;
      },
    );
    const elapsedSeconds = (performance.now() - started) / 1000;
    const rows = Array.from({ length: repeats }, (_, repeat) =>
      records.map((record) => toRow(record, repeat, journal.rows.get(`${repeat}:${record.id}`))),
    ).flat();
    const options = { ...scoringFor(task), ...scoring, ...(metrics && { metrics }) };
    const table = tableOf(rows, { keep: keysToKeep(options), stratum: options.stratum });
    const card = scoreTable(table, options);
    const result = memoryResult({
      rows,
      table,
      card,
      suiteDescription: run.suiteDescription ?? (await this.#suite.describe()),
      backend: this.#backend,
      task,
      extras: extrasOf({
        batchSize,
        maxConcurrency,
        repeats,
        nRecords: records.length,
        nApiBatches: plannedBatches(records.length, batchSize, repeats),
        elapsedSeconds,
        totals: journal.totals(),
        templates: templatesOf(rows),
        promptModes: [
          ...new Set(rows.filter(({ state }) => state !== 'not_run').map(({ promptMode }) => promptMode)),
        ].sort(),
        waitedSeconds,
        nRepaired: rows.filter(({ repaired }) => repaired).length,
        simulated: this.#backend.simulated ?? false,
      }),
    });
    if (stopped === null) return result;
    stopped.result = result;
    throw stopped;
  }
}

function toRow(
  { id, label, metadata }: PatientRecord,
  repeat: number,
  row: JournalRow | undefined,
): BenchmarkRow {
  const trace = row ?? emptyRow(id, repeat, 'not_run', null);
  return {
    ...evaluationResult({
      id,
      groundTruth: label,
      metadata,
      state: trace.state,
      stateReason: trace.stateReason,
      prediction: trace.prediction,
      abstained: trace.abstained,
      confidence: trace.confidence,
    }),
    repeat,
    confidenceSource: trace.confidenceSource,
    rawResponse: trace.rawResponse,
    prompt: trace.prompt,
    promptMode: trace.promptMode,
    inputTokens: trace.inputTokens,
    outputTokens: trace.outputTokens,
    totalTokens: trace.totalTokens,
    tokensEstimated: trace.tokensEstimated,
    repaired: trace.repaired,
  };
}

function templatesOf(rows: readonly BenchmarkRow[]) {
  const found = new Map<string, { mode: string; prompt: unknown; n: number }>();
  for (const { prompt, promptMode } of rows) {
    if (prompt === null) continue;
    const key = `${promptMode}:${JSON.stringify(prompt)}`;
    const entry = found.get(key) ?? { mode: promptMode, prompt, n: 0 };
    found.set(key, entry);
    entry.n += 1;
  }
  return [...found.values()];
}
