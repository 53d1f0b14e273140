import type { EvaluationResult, Label } from '../core/index.ts';
import { type Cells, cellsOf } from './cells.ts';
import { ABSTAINED, ANSWERED, type Columns, type TableOptions, tableOf, UNLABELLED } from './columns.ts';
import { blocksOf, type ConfidenceBlocks, slotsOf } from './confidence-blocks.ts';
import { NO_LABEL } from './label-table.ts';

/** A row as a custom metric sees it. */
export interface SampleRow {
  readonly id: string | null;
  readonly state: 'answered' | 'abstained' | 'invalid';
  readonly prediction: Label | null;
  readonly groundTruth: Label | null;
  readonly correct: boolean;
  /** Null when missing or outside 0 to 1. */
  readonly confidence: number | null;
  readonly shouldAbstain: boolean | null;
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
  readonly #layout: Layout;
  #weights: Uint32Array | null;
  #counts: Float64Array | null = null;
  #blocks: ConfidenceBlocks | null = null;
  #slotCounts: Float64Array | null = null;
  #memo: Map<unknown, unknown> | null = null;

  private constructor(columns: Columns, layout: Layout, weights: Uint32Array | null) {
    this.columns = columns;
    this.#layout = layout;
    this.#weights = weights;
  }

  /** A sample of rows, or the sample itself. */
  static of(rows: Sample | Iterable<EvaluationResult>, options: TableOptions = {}): Sample {
    return rows instanceof Sample ? rows : Sample.from(tableOf(rows, options).scored);
  }

  static from(columns: Columns): Sample {
    return new Sample(columns, new Layout(columns), null);
  }

  /** The same rows with other weights. Weights are read when a metric asks; call `refresh` after changing them in place. */
  weighted(weights: Uint32Array): Sample {
    return new Sample(this.columns, this.#layout, weights);
  }

  /** Discards cached counts after the weights changed in place. */
  refresh(): void {
    this.#counts = null;
    this.#blocks = null;
    this.#memo = null;
  }

  /** The rows that have `code` in a metadata column. */
  where(key: string, code: number): Sample {
    const column = this.columns.metadata.get(key)!;
    const weights = new Uint32Array(this.columns.n);
    for (let i = 0; i < weights.length; i++) {
      if (column.codes[i] === code) weights[i] = this.#weights === null ? 1 : this.#weights[i]!;
    }
    return this.weighted(weights);
  }

  get weights(): Uint32Array | null {
    return this.#weights;
  }

  /** Kinds of rows; `counts` holds the number of rows of each kind. */
  get cells(): Cells {
    return this.#layout.cells;
  }

  get counts(): Float64Array {
    if (this.#counts !== null) return this.#counts;
    const { of, size } = this.cells;
    if (this.#weights === null) return this.#layout.plainCounts;
    const counts = new Float64Array(size);
    const weights = this.#weights;
    for (let i = 0; i < of.length; i++) counts[of[i]!]! += weights[i]!;
    this.#counts = counts;
    return counts;
  }

  /** Usable rows by distinct confidence, highest first. */
  get confidence(): ConfidenceBlocks {
    if (this.#weights === null) return this.#layout.blocks;
    if (this.#blocks !== null) return this.#blocks;
    const { blocks, slots } = this.#layout;
    const bySlot = this.#slotCounts ?? new Float64Array(2 * blocks.size);
    this.#slotCounts = bySlot;
    bySlot.fill(0);
    const weights = this.#weights;
    for (let i = 0; i < slots.length; i++) {
      if (slots[i]! >= 0) bySlot[slots[i]!]! += weights[i]!;
    }
    const count = new Float64Array(blocks.size);
    const errors = new Float64Array(blocks.size);
    let n = 0;
    let nErrors = 0;
    for (let b = 0; b < blocks.size; b++) {
      errors[b] = bySlot[2 * b + 1]!;
      count[b] = bySlot[2 * b]! + errors[b]!;
      n += count[b]!;
      nErrors += errors[b]!;
    }
    this.#blocks = { size: blocks.size, confidence: blocks.confidence, count, errors, n, nErrors };
    return this.#blocks;
  }

  /** Rows that no built-in metric can distinguish have the same pattern: the jackknife computes them once. */
  get patterns(): Int32Array {
    return this.#layout.patterns;
  }

  /** Computes a value once for this sample; `key` is the function itself or a string. */
  once<T>(key: unknown, work: (sample: Sample) => T): T {
    this.#memo ??= new Map();
    if (!this.#memo.has(key)) this.#memo.set(key, work(this));
    return this.#memo.get(key) as T;
  }

  *[Symbol.iterator](): Iterator<SampleRow> {
    for (let i = 0; i < this.columns.n; i++) {
      const times = this.#weights === null ? 1 : this.#weights[i]!;
      if (times === 0) continue;
      const row = this.#row(i);
      for (let t = 0; t < times; t++) yield row;
    }
  }

  #row(i: number): SampleRow {
    const { columns } = this;
    const truth = columns.truth[i]!;
    const prediction = columns.prediction[i]!;
    const state = columns.state[i];
    const c = columns.confidence[i]!;
    const record = columns.record.codes[i]!;
    return {
      id: record === NO_LABEL ? null : columns.record.values[record]!,
      state: state === ANSWERED ? 'answered' : state === ABSTAINED ? 'abstained' : 'invalid',
      prediction: prediction === NO_LABEL ? null : columns.labels.display[prediction]!,
      groundTruth: truth === NO_LABEL ? null : columns.labels.display[truth]!,
      correct: state === ANSWERED && truth !== NO_LABEL && truth === prediction,
      confidence: c >= 0 && c <= 1 ? c : null,
      shouldAbstain: columns.shouldAbstain[i] === UNLABELLED ? null : columns.shouldAbstain[i] === 1,
    };
  }
}

/** What all samples of the same columns share, computed at most once. */
class Layout {
  readonly #columns: Columns;
  #cells: Cells | null = null;
  #plainCounts: Float64Array | null = null;
  #blocks: ConfidenceBlocks | null = null;
  #slots: Int32Array | null = null;
  #patterns: Int32Array | null = null;

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  get cells(): Cells {
    this.#cells ??= cellsOf(this.#columns);
    return this.#cells;
  }

  get plainCounts(): Float64Array {
    if (this.#plainCounts === null) {
      const { of, size } = this.cells;
      const counts = new Float64Array(size);
      for (let i = 0; i < of.length; i++) counts[of[i]!]! += 1;
      this.#plainCounts = counts;
    }
    return this.#plainCounts;
  }

  get blocks(): ConfidenceBlocks {
    this.#blocks ??= blocksOf(this.#columns);
    return this.#blocks;
  }

  get slots(): Int32Array {
    this.#slots ??= slotsOf(this.#columns, this.blocks);
    return this.#slots;
  }

  get patterns(): Int32Array {
    if (this.#patterns === null) {
      const { of } = this.cells;
      const width = 2 * this.blocks.size + 1;
      const codes = new Map<number, number>();
      this.#patterns = Int32Array.from(this.slots, (slot, i) => {
        const key = of[i]! * width + slot + 1;
        const code = codes.get(key) ?? codes.size;
        codes.set(key, code);
        return code;
      });
    }
    return this.#patterns;
  }
}
