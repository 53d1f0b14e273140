import {
  type EvaluationResult,
  emptyLedger,
  enter,
  isBlank,
  isScored,
  type Label,
  type Ledger,
  ledgerClass,
  type RowState,
  type Stratum,
} from '../core/index.ts';
import { DEFAULT_STRATUM } from '../suites/domains/index.ts';
import { LabelTable, NO_LABEL } from './label-table.ts';

/** Row states as bytes. A refusal is scored like an invalid answer; the ledger counts the two separately. */
export const ANSWERED = 0;
export const ABSTAINED = 1;
export const INVALID = 2;

/** `should_abstain` as a byte: 1, 0, or -1 for unlabelled rows. */
export const UNLABELLED = -1;

/** A metadata column: one small integer per row, `NO_LABEL` where the key is absent. */
interface CodedColumn {
  readonly codes: Int32Array;
  readonly values: readonly string[];
}

/** Rows in columns: 26 bytes per row, and four more for each metadata key kept. */
export interface Columns {
  readonly n: number;
  readonly labels: LabelTable;
  readonly state: Uint8Array;
  readonly truth: Int32Array;
  readonly prediction: Int32Array;
  /** As stated: NaN is missing, a value outside 0 to 1 is invalid. */
  readonly confidence: Float64Array;
  readonly shouldAbstain: Int8Array;
  readonly record: CodedColumn;
  readonly metadata: ReadonlyMap<string, CodedColumn>;
  /** Which metadata column the rows are broken down by. */
  readonly stratum: Stratum;
}

/** A file of rows as columns: the scored rows, the unscored ones, and the ledger of all. */
export interface RowTable {
  readonly scored: Columns;
  /** Rows that failed or were never run: not scored, but they widen the bounds of the scores. */
  readonly unscored: Columns;
  readonly ledger: Ledger;
}

export interface TableOptions {
  /** What to break rows down by. Default: the stratum of the first domain that declares one. */
  readonly stratum?: Stratum | undefined;
  /** Metadata keys to keep besides the stratum's. */
  readonly keep?: readonly string[];
  /** Whether a confidence outside 0 to 1 is invalid or clipped. Default: `invalid`. */
  readonly confidencePolicy?: 'invalid' | 'clip';
}

/** Collects rows one by one, so that a file of any length takes only the memory of its columns. */
export class RowTableBuilder {
  readonly #ledger = emptyLedger();
  readonly #scored: ColumnBuilder;
  readonly #unscored: ColumnBuilder;

  constructor(options: TableOptions = {}) {
    const labels = new LabelTable();
    this.#scored = new ColumnBuilder(labels, options);
    this.#unscored = new ColumnBuilder(labels, options);
  }

  add(row: EvaluationResult): void {
    enter(this.#ledger, ledgerClass(row));
    (isScored(row.state) ? this.#scored : this.#unscored).add(row);
  }

  finish(): RowTable {
    return { scored: this.#scored.finish(), unscored: this.#unscored.finish(), ledger: this.#ledger };
  }
}

/**
 * Puts rows into columns.
 *
 * @example
 * ```ts
 * const table = tableOf([
 *   evaluationResult({ prediction: 'present', groundTruth: 'present', confidence: 0.9 }),
 *   evaluationResult({ groundTruth: 'absent', state: 'failed', stateReason: 'timeout' }),
 * ]);
 * table.scored.n // => 1
 * table.ledger.failed_timeout // => 1
 * ```
 */
export function tableOf(rows: Iterable<EvaluationResult>, options: TableOptions = {}): RowTable {
  const builder = new RowTableBuilder(options);
  for (const row of rows) builder.add(row);
  return builder.finish();
}

const STATE_CODES: Record<RowState, number> = {
  answered: ANSWERED,
  abstained: ABSTAINED,
  invalid: INVALID,
  refused: INVALID,
  failed: INVALID,
  not_run: INVALID,
};

class ColumnBuilder {
  readonly #labels: LabelTable;
  readonly #clip: boolean;
  readonly #stratum: Stratum;
  readonly #record = new Dictionary();
  readonly #metadata: [string, Dictionary, Int32Array<ArrayBuffer>][];
  #n = 0;
  #state = new Uint8Array(64);
  #truth = new Int32Array(64);
  #prediction = new Int32Array(64);
  #confidence = new Float64Array(64);
  #shouldAbstain = new Int8Array(64);
  #recordCodes = new Int32Array(64);

  constructor(labels: LabelTable, options: TableOptions) {
    this.#labels = labels;
    this.#clip = options.confidencePolicy === 'clip';
    this.#stratum = options.stratum ?? DEFAULT_STRATUM;
    const keys = new Set([this.#stratum.key, ...(options.keep ?? [])]);
    this.#metadata = [...keys].map((key) => [key, new Dictionary(), new Int32Array(64)]);
  }

  add(row: EvaluationResult): void {
    const i = this.#n++;
    if (i === this.#state.length) this.#grow();
    this.#state[i] = STATE_CODES[row.state];
    this.#truth[i] = this.#labelCode(row.groundTruth);
    this.#prediction[i] = row.state === 'answered' ? this.#labelCode(row.prediction) : NO_LABEL;
    const confidence = row.confidence ?? Number.NaN;
    this.#confidence[i] = this.#clip ? Math.min(1, Math.max(0, confidence)) : confidence;
    const shouldAbstain = row.metadata.should_abstain;
    this.#shouldAbstain[i] = shouldAbstain === true ? 1 : shouldAbstain === false ? 0 : UNLABELLED;
    this.#recordCodes[i] = row.id === null ? NO_LABEL : this.#record.code(row.id);
    for (const [key, dictionary, codes] of this.#metadata) {
      const value = row.metadata[key];
      codes[i] = value === undefined || value === null ? NO_LABEL : dictionary.code(String(value));
    }
  }

  finish(): Columns {
    const n = this.#n;
    return {
      n,
      labels: this.#labels,
      state: this.#state.subarray(0, n),
      truth: this.#truth.subarray(0, n),
      prediction: this.#prediction.subarray(0, n),
      confidence: this.#confidence.subarray(0, n),
      shouldAbstain: this.#shouldAbstain.subarray(0, n),
      record: { codes: this.#recordCodes.subarray(0, n), values: this.#record.values },
      stratum: this.#stratum,
      metadata: new Map(
        this.#metadata.map(([key, dictionary, codes]) => [
          key,
          { codes: codes.subarray(0, n), values: dictionary.values },
        ]),
      ),
    };
  }

  #labelCode(label: Label | null): number {
    return label === null || isBlank(label) ? NO_LABEL : this.#labels.intern(label);
  }

  #grow(): void {
    this.#state = grown(this.#state);
    this.#truth = grown(this.#truth);
    this.#prediction = grown(this.#prediction);
    this.#confidence = grown(this.#confidence);
    this.#shouldAbstain = grown(this.#shouldAbstain);
    this.#recordCodes = grown(this.#recordCodes);
    for (const entry of this.#metadata) entry[2] = grown(entry[2]);
  }
}

class Dictionary {
  readonly values: string[] = [];
  readonly #codes = new Map<string, number>();

  code(value: string): number {
    let code = this.#codes.get(value);
    if (code === undefined) {
      code = this.values.length;
      this.#codes.set(value, code);
      this.values.push(value);
    }
    return code;
  }
}

type Growable =
  | Uint8Array<ArrayBuffer>
  | Int8Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

function grown<T extends Growable>(array: T): T {
  const larger = new (array.constructor as new (n: number) => T)(array.length * 2);
  larger.set(array as never);
  return larger;
}
