import type { EvaluationResult } from '../core/evaluation-result.ts';
import type { Label } from '../core/label.ts';
import { buildCells, type Cells } from './cells.ts';
import {
  ABSTAINED,
  ANSWERED,
  buildTable,
  type Columns,
  SCORED_STATES,
  type TableOptions,
  UNLABELLED,
} from './columns.ts';
import {
  answerableOnly,
  assignSlots,
  buildBlocks,
  type ConfidenceBlocks,
  reweighted,
  strictly,
} from './confidence-blocks.ts';
import { NO_LABEL } from './label-table.ts';

/** A row as a custom metric sees it. */
export interface SampleRow {
  readonly id: string | null;
  readonly state: (typeof SCORED_STATES)[number];
  /** Whether the model declined to answer. */
  readonly abstained: boolean;
  readonly prediction: Label | null;
  readonly groundTruth: Label | null;
  readonly correct: boolean;
  /** Null when missing or outside 0 to 1. */
  readonly confidence: number | null;
  readonly shouldAbstain: boolean | null;
  readonly mustAct: boolean | null;
  /** Whether the model says that the case needs action today. */
  readonly urgent: boolean;
  /** What is known of the record besides. */
  readonly metadata: { readonly [key: string]: unknown };
}

/**
 * Weighted rows, on which every metric is computed. The plain sample has every row once; a bootstrap resample is the same columns
 * with other weights. Counts and confidence blocks are computed once per sample, on demand, and shared by all metrics.
 *
 * Iterating yields rows; a row drawn twice is yielded twice.
 *
 * @example
 * ```ts
 * const sample = Sample.of([evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.8 })]);
 * [...sample].map((row) => row.correct) // => [true]
 * ```
 */
export class Sample implements Iterable<SampleRow> {
  readonly columns: Columns;
  /** How often each row counts; null where every row counts once. */
  readonly weights: Uint32Array | null;
  /** The same columns with every row once: it keeps what does not depend on weights. */
  readonly #plain: Sample;
  readonly #memo = new Map<unknown, unknown>();

  private constructor(columns: Columns, weights: Uint32Array | null, plain: Sample | null) {
    this.columns = columns;
    this.weights = weights;
    this.#plain = plain ?? this;
  }

  /** A sample of rows, or the sample itself. */
  static of(rows: Sample | Iterable<EvaluationResult>, options: TableOptions = {}): Sample {
    return rows instanceof Sample ? rows : Sample.from(buildTable(rows, options).scored);
  }

  static from(columns: Columns): Sample {
    return new Sample(columns, null, null);
  }

  /** The same rows with other weights. Weights are read when a metric asks; call `refresh` after changing them in place. */
  weighted(weights: Uint32Array): Sample {
    return new Sample(this.columns, weights, this.#plain);
  }

  /** Discards cached counts after the weights changed in place. */
  refresh(): void {
    this.#memo.clear();
  }

  /** The rows that have `code` in a metadata column. */
  where(key: string, code: number): Sample {
    const { codes } = this.columns.metadata.get(key)!;
    const weights = new Uint32Array(codes.length);
    for (let i = 0; i < codes.length; i++) if (codes[i] === code) weights[i] = this.weights?.[i] ?? 1;
    return this.weighted(weights);
  }

  /** Kinds of rows; `counts` holds the number of rows of each kind. */
  get cells(): Cells {
    return this.#plain.once(buildCells, ({ columns }) => buildCells(columns));
  }

  get counts(): Float64Array {
    return this.once('counts', ({ cells: { of, size }, weights }) => {
      const counts = new Float64Array(size);
      for (let i = 0; i < of.length; i++) counts[of[i]!]! += weights === null ? 1 : weights[i]!;
      return counts;
    });
  }

  /** Usable rows by distinct confidence, highest first. An answer where no answer exists counts as wrong. */
  get confidence(): ConfidenceBlocks {
    const { weights } = this;
    if (weights === null) return this.once(buildBlocks, ({ columns }) => buildBlocks(columns));
    return this.once(buildBlocks, () => reweighted(this.#plain.confidence, this.#slots, weights));
  }

  /** The same without answers given where no answer exists. */
  get answerableConfidence(): ConfidenceBlocks {
    return this.once(answerableOnly, () => answerableOnly(this.confidence));
  }

  /** The same where an answer on a row that should be deferred is a failure, right or wrong. */
  get strictConfidence(): ConfidenceBlocks {
    return this.once(strictly, () => strictly(this.confidence));
  }

  get #slots(): Int32Array {
    return this.#plain.once(assignSlots, ({ columns, confidence }) => assignSlots(columns, confidence));
  }

  /** Rows that no built-in metric can distinguish have the same pattern: the jackknife computes them once. */
  get patterns(): Int32Array {
    return this.#plain.once('patterns', ({ cells: { of }, confidence }) => {
      const width = 4 * confidence.size + 1;
      const codes = new Map<number, number>();
      return this.#slots.map((slot, i) => {
        const key = of[i]! * width + slot + 1;
        const code = codes.get(key) ?? codes.size;
        codes.set(key, code);
        return code;
      });
    });
  }

  /** Computes a value once for this sample; `key` is the function itself or a string. */
  once<T>(key: unknown, work: (sample: Sample) => T): T {
    if (!this.#memo.has(key)) this.#memo.set(key, work(this));
    return this.#memo.get(key) as T;
  }

  /** Computes a value of these blocks once for this sample: plain and strict metrics, and those without unanswerable rows, often rest on the same blocks. */
  onceOn<T>(blocks: ConfidenceBlocks, key: string, work: (blocks: ConfidenceBlocks) => T): T {
    if (blocks === this.confidence) return this.once(key, () => work(blocks));
    const kind = blocks === this.answerableConfidence ? 'answerable' : 'strict';
    return this.once(`${key}, ${kind}`, () => work(blocks));
  }

  *[Symbol.iterator](): Iterator<SampleRow> {
    for (let i = 0; i < this.columns.n; i++) {
      const times = this.weights?.[i] ?? 1;
      if (times === 0) continue;
      const row = sampleRow(this.columns, i);
      for (let t = 0; t < times; t++) yield row;
    }
  }
}

/** One row of a table as a custom metric sees it. */
export function sampleRow(columns: Columns, i: number): SampleRow {
  const truth = columns.truth[i]!;
  const prediction = columns.prediction[i]!;
  const state = columns.state[i]!;
  const c = columns.confidence[i]!;
  const record = columns.record.codes[i]!;
  const metadata: Record<string, unknown> = {};
  for (const [key, { codes, originals }] of columns.metadata)
    if (codes[i] !== NO_LABEL) metadata[key] = originals[codes[i]!];
  return {
    id: record === NO_LABEL ? null : columns.record.values[record]!,
    state: SCORED_STATES[state]!,
    abstained: state === ABSTAINED,
    prediction: prediction === NO_LABEL ? null : columns.labels.display[prediction]!,
    groundTruth: truth === NO_LABEL ? null : columns.labels.display[truth]!,
    correct: state === ANSWERED && truth !== NO_LABEL && truth === prediction,
    confidence: c >= 0 && c <= 1 ? c : null,
    shouldAbstain: readFlag(columns.shouldAbstain[i]!),
    mustAct: readFlag(columns.mustAct[i]!),
    urgent: columns.urgent[i] === 1,
    metadata,
  };
}

function readFlag(code: number): boolean | null {
  return code === UNLABELLED ? null : code === 1;
}
