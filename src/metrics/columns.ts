import {
  type ActOptions,
  type DecisionFacts,
  decisionFacts,
  type EmergencyRule,
  emergencyRule,
  isContradiction,
} from '../core/decision-class.ts';
import { type DeferralReasons, rightReasons } from '../core/deferral-reasons.ts';
import { Dictionary } from '../core/dictionary.ts';
import type { EvaluationResult } from '../core/evaluation-result.ts';
import { isBlank, type Label } from '../core/label.ts';
import { emptyLedger, enter, type Ledger, ledgerClass } from '../core/ledger.ts';
import { DEFAULT_STRATUM, type Stratum } from '../core/patient-record.ts';
import { isPartlyRight, isScored, type RowState } from '../core/states.ts';
import { KNOWN_REASONS } from '../domains/domains.ts';
import { LabelTable, NO_LABEL } from './label-table.ts';

/** Row states as bytes. A refusal is scored like an invalid answer, and counted separately. */
export const ANSWERED = 0;
export const ABSTAINED = 1;
export const INVALID = 2;
const REFUSED = 3;
export const SCORED_STATES = ['answered', 'abstained', 'invalid', 'refused'] as const satisfies RowState[];

/** `should_abstain` and `must_act` as a byte: 1, 0, or -1 where unknown. */
export const UNLABELLED = -1;

/** A metadata column: one small integer per row, `NO_LABEL` where the key is absent. */
export interface CodedColumn {
  readonly codes: Int32Array;
  readonly values: readonly string[];
  /** The values as the first row that had each stated it. */
  readonly originals: readonly unknown[];
}

/** Rows in columns: 34 bytes per row, and four more for each metadata key kept. */
export interface Columns {
  readonly n: number;
  readonly labels: LabelTable;
  readonly state: Uint8Array;
  readonly truth: Int32Array;
  readonly prediction: Int32Array;
  /** As stated: NaN is missing, a value outside 0 to 1 is invalid. */
  readonly confidence: Float64Array;
  /** As another tool scored the answers, NaN where a row has no score; null where no row has one. */
  readonly score: Float64Array | null;
  /** As people scored some of them, NaN where nobody did; null where no row was checked. */
  readonly checked: Float64Array | null;
  readonly shouldAbstain: Int8Array;
  /** Whether the case needs action today: 1, 0, or -1 where unknown. */
  readonly mustAct: Int8Array;
  /** 1 where the model says that it does. */
  readonly urgent: Uint8Array;
  /** 1 where nearness to a decision line is the only reason to defer. */
  readonly nearLine: Uint8Array;
  /** How the stated reason of a deferral compares with the row's own. */
  readonly grounding: Int8Array;
  readonly record: CodedColumn;
  /** The call that asked about several records at once; rows asked alone have none. */
  readonly call: CodedColumn;
  readonly metadata: ReadonlyMap<string, CodedColumn>;
  /** Which metadata column the rows are broken down by. */
  readonly stratum: Stratum;
  /** What makes an emergency missed. */
  readonly emergencyRule: EmergencyRule;
  /** Whether any row of the table says that it should or should not be deferred. */
  readonly hasDeferralLabels: boolean;
}

/** A file of rows as columns: the scored rows, the unscored ones, and the ledger of all. */
export interface RowTable {
  readonly scored: Columns;
  /** Rows that failed or were never run: not scored, but they widen the bounds of the scores. */
  readonly unscored: Columns;
  readonly ledger: Ledger;
  /** Rows marked both to be acted upon and to be deferred: their deferral label is ignored. */
  readonly nContradictions: number;
  /** Invalid rows whose reply held two different answers. */
  readonly nTwoAnswers: number;
  /** Invalid rows whose reply held no answer but one quoted from the record. */
  readonly nQuotedAnswers: number;
}

/** Among the keys to keep: all that rows have. */
export const ALL_KEYS = '*';

/** What a table of rows keeps besides the columns that every metric needs. */
export interface TableOptions extends ActOptions {
  /** What to break rows down by. Default: the stratum of the first domain that declares one. */
  readonly stratum?: Stratum | undefined;
  /** Metadata keys to keep besides the stratum's. */
  readonly keep?: readonly string[];
  /** The task's reasons to defer, with which the reasons that a model gives are compared. Default: those of all domains. */
  readonly deferralReasons?: DeferralReasons | undefined;
  /** Whether rows that were never run widen the bounds of scores, as failed ones do. Default: true. */
  readonly countNotRun?: boolean;
}

/** Collects rows one by one, so that a file of any length takes only the memory of its columns. */
export class RowTableBuilder {
  readonly #ledger = emptyLedger();
  readonly #scored: ColumnBuilder;
  readonly #unscored: ColumnBuilder;
  readonly #options: TableOptions;
  #nContradictions = 0;
  #nTwoAnswers = 0;
  #nQuotedAnswers = 0;
  #anyUrgent = false;
  #anyPartlyRight = false;

  constructor(options: TableOptions = {}) {
    this.#options = options;
    const labels = new LabelTable();
    this.#scored = new ColumnBuilder(labels, options);
    this.#unscored = new ColumnBuilder(labels, options);
  }

  add(row: EvaluationResult): void {
    enter(this.#ledger, ledgerClass(row));
    const facts = decisionFacts(row, this.#options.actLabels);
    if (isContradiction(facts.mustAct, row.metadata.should_abstain)) this.#nContradictions += 1;
    if (row.urgent !== null) this.#anyUrgent = true;
    if (isPartlyRight(row)) this.#anyPartlyRight = true;
    if (row.state === 'invalid' && row.stateReason === 'two_answers') this.#nTwoAnswers += 1;
    if (row.state === 'invalid' && row.stateReason === 'quoted_from_record') this.#nQuotedAnswers += 1;
    if (row.state === 'not_run' && this.#options.countNotRun === false) return;
    (isScored(row.state) ? this.#scored : this.#unscored).add(row, facts);
  }

  finish(): RowTable {
    const [scored, unscored] = [this.#scored, this.#unscored].map((builder) =>
      // Answers that are right in part cannot be counted as right or wrong, nor the others without them.
      builder.finish(this.#anyPartlyRight),
    ) as [Columns, Columns];
    const isLabelled = ({ shouldAbstain }: Columns) => shouldAbstain.some((code) => code !== UNLABELLED);
    const facts = {
      emergencyRule: emergencyRule(this.#options, this.#anyUrgent),
      hasDeferralLabels: isLabelled(scored) || isLabelled(unscored),
    };
    return {
      scored: { ...scored, ...facts },
      unscored: { ...unscored, ...facts },
      ledger: this.#ledger,
      nContradictions: this.#nContradictions,
      nTwoAnswers: this.#nTwoAnswers,
      nQuotedAnswers: this.#nQuotedAnswers,
    };
  }
}

/**
 * Puts rows into columns.
 *
 * @example
 * ```ts
 * const table = buildTable([
 *   evaluationResult({ prediction: 'present', groundTruth: 'present', confidence: 0.9 }),
 *   evaluationResult({ groundTruth: 'absent', state: 'failed', stateReason: 'timeout' }),
 * ]);
 * table.scored.n // => 1
 * table.ledger.failed_timeout // => 1
 * ```
 */
export function buildTable(rows: Iterable<EvaluationResult>, options: TableOptions = {}): RowTable {
  const builder = new RowTableBuilder(options);
  for (const row of rows) builder.add(row);
  return builder.finish();
}

/** States that are not scored have no code of their own. */
const STATE_CODES: Partial<Record<RowState, number>> = {
  answered: ANSWERED,
  abstained: ABSTAINED,
  refused: REFUSED,
};

class ColumnBuilder {
  readonly #deferralReasons: DeferralReasons | undefined;
  readonly #record = new Dictionary();
  readonly #call = new Dictionary();
  readonly #metadata: Map<string, Dictionary>;
  readonly #keepsAll: boolean;
  #n = 0;
  #columns: Columns;

  constructor(labels: LabelTable, { stratum = DEFAULT_STRATUM, keep = [], deferralReasons }: TableOptions) {
    this.#deferralReasons = deferralReasons;
    this.#keepsAll = keep.includes(ALL_KEYS);
    const keys = [stratum.key, ...keep].filter((key) => key !== ALL_KEYS);
    this.#metadata = new Map(keys.map((key) => [key, new Dictionary()]));
    const coded = () => ({ codes: new Int32Array(64), values: [], originals: [] });
    this.#columns = {
      n: 0,
      labels,
      stratum,
      emergencyRule: 'silence',
      hasDeferralLabels: false,
      state: new Uint8Array(64),
      truth: new Int32Array(64),
      prediction: new Int32Array(64),
      confidence: new Float64Array(64),
      score: null,
      checked: null,
      shouldAbstain: new Int8Array(64),
      mustAct: new Int8Array(64),
      urgent: new Uint8Array(64),
      nearLine: new Uint8Array(64),
      grounding: new Int8Array(64),
      record: coded(),
      call: coded(),
      metadata: new Map(keys.map((key) => [key, coded()])),
    };
  }

  add(row: EvaluationResult, facts: DecisionFacts): void {
    const i = this.#n++;
    if (i === this.#columns.state.length) this.#columns = mapColumns(this.#columns, i, grown);
    if (this.#keepsAll) this.#keepNewKeys(row);
    const { state, truth, prediction, confidence, shouldAbstain, mustAct, record, call, metadata } =
      this.#columns;
    state[i] = STATE_CODES[row.state] ?? INVALID;
    truth[i] = this.#labelCode(row.groundTruth);
    prediction[i] = row.state === 'answered' ? this.#labelCode(row.prediction) : NO_LABEL;
    confidence[i] = row.confidence ?? Number.NaN;
    for (const key of ['score', 'checked'] as const) {
      // A column that no row has is never made.
      if (row[key] != null && this.#columns[key] === null)
        this.#columns = { ...this.#columns, [key]: new Float64Array(state.length).fill(Number.NaN) };
      const column = this.#columns[key];
      if (column !== null) column[i] = row[key] ?? Number.NaN;
    }
    shouldAbstain[i] = flagCode(facts.shouldAbstain);
    mustAct[i] = flagCode(facts.mustAct);
    this.#columns.urgent[i] = Number(facts.urgent);
    this.#columns.nearLine[i] = Number(row.metadata.near_line === true);
    this.#columns.grounding[i] = compareReason(row, this.#deferralReasons);
    record.codes[i] = row.id === null ? NO_LABEL : this.#record.code(row.id);
    call.codes[i] = row.call == null ? NO_LABEL : this.#call.code(row.call);
    for (const [key, dictionary] of this.#metadata) {
      const value = row.metadata[key];
      const { codes, originals } = metadata.get(key)!;
      const code = value == null ? NO_LABEL : dictionary.code(String(value));
      codes[i] = code;
      if (code === originals.length) (originals as unknown[]).push(value);
    }
  }

  /** A metric that did not say what it reads may read anything. */
  #keepNewKeys({ metadata }: EvaluationResult): void {
    for (const key of Object.keys(metadata)) {
      if (this.#metadata.has(key)) continue;
      const dictionary = new Dictionary();
      this.#metadata.set(key, dictionary);
      const codes = new Int32Array(this.#columns.state.length).fill(NO_LABEL);
      (this.#columns.metadata as Map<string, CodedColumn>).set(key, {
        codes,
        values: [],
        originals: [],
      });
    }
  }

  #labelCode(label: Label | null): number {
    return label === null || isBlank(label) ? NO_LABEL : this.#columns.labels.intern(label);
  }

  finish(withoutTruth: boolean): Columns {
    const n = this.#n;
    if (withoutTruth) this.#columns.truth.fill(NO_LABEL);
    const columns = mapColumns(this.#columns, n, (column) => column.subarray(0, n) as typeof column);
    const metadata = [...columns.metadata].map(
      ([key, column]) => [key, { ...column, values: this.#metadata.get(key)!.values }] as const,
    );
    return {
      ...columns,
      record: named(columns.record, this.#record),
      call: named(columns.call, this.#call),
      metadata: new Map(metadata),
    };
  }
}

function named(column: CodedColumn, { values }: Dictionary): CodedColumn {
  return { ...column, values, originals: values };
}

function flagCode(flag: boolean | null): number {
  return flag === null ? UNLABELLED : Number(flag);
}

type Column = Uint8Array | Int8Array | Int32Array | Float64Array;

/** Columns of `n` rows, each made from the one before by the same change. */
function mapColumns(columns: Columns, n: number, change: <T extends Column>(column: T) => T): Columns {
  const coded = ({ codes, values, originals }: CodedColumn) => ({ codes: change(codes), values, originals });
  return {
    ...columns,
    n,
    state: change(columns.state),
    truth: change(columns.truth),
    prediction: change(columns.prediction),
    confidence: change(columns.confidence),
    score: columns.score && change(columns.score),
    checked: columns.checked && change(columns.checked),
    shouldAbstain: change(columns.shouldAbstain),
    mustAct: change(columns.mustAct),
    urgent: change(columns.urgent),
    nearLine: change(columns.nearLine),
    grounding: change(columns.grounding),
    record: coded(columns.record),
    call: coded(columns.call),
    metadata: new Map([...columns.metadata].map(([key, column]) => [key, coded(column)])),
  };
}

/** The score of every row, 0 where there is no usable answer; null where no row has a score. */
export function rowScores({ score, state }: Columns): Float64Array | null {
  return score?.map((value, i) => (state[i] === ANSWERED ? value : 0)) ?? null;
}

/** The rows at these places, in this order. */
export function pickRows(columns: Columns, rows: ArrayLike<number>): Columns {
  return mapColumns(columns, rows.length, (column) => {
    const picked = emptyLike(column, rows.length);
    for (let i = 0; i < rows.length; i++) picked[i] = column[rows[i]!]!;
    return picked;
  });
}

function grown<T extends Column>(column: T): T {
  return joined(column, emptyLike(column, column.length));
}

/** One column after the other. */
export function joined<T extends Column>(first: T, second: T): T {
  const both = emptyLike(first, first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function emptyLike<T extends Column>(column: T, n: number): T {
  return new (column.constructor as new (n: number) => T)(n);
}

/** How the stated reason of a deferral compares with the row's own, as a byte. */
export const NO_REASON = 0;
const WRONG_REASON = 1;
const RIGHT_REASON = 2;
/** Not a deferral on a must-defer row, or the row's reasons are unknown. */
export const NOT_COMPARED = -1;

/** Compares the reason that a model gave for deferring with the reasons in `metadata.should_abstain_reasons`. */
export function compareReason(
  { state, deferralReason, metadata }: EvaluationResult,
  known: DeferralReasons = KNOWN_REASONS,
): number {
  if (state !== 'abstained' || metadata.should_abstain !== true) return NOT_COMPARED;
  const held = [metadata.should_abstain_reasons ?? []].flat().map(String);
  const right = rightReasons(held, known);
  if (deferralReason !== null && (right?.has(deferralReason) ?? held.includes(deferralReason)))
    return RIGHT_REASON;
  if (right === null) return NOT_COMPARED;
  return deferralReason === null ? NO_REASON : WRONG_REASON;
}
