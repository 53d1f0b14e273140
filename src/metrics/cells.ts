import type { DecisionFacts } from '../core/decision-class.ts';
import { ANSWERED, type Columns, SCORED_STATES, UNLABELLED } from './columns.ts';
import { NO_LABEL } from './label-table.ts';

/**
 * Kinds of rows: rows that agree in truth, prediction, state, deferral label, grounds for deferring, `must_act`, urgency, nearness to a line and stratum are one cell. There are few of them however many rows
 * there are, so a metric that only counts is quick on a million rows and in ten thousand resamples.
 */
export interface Cells {
  readonly size: number;
  /** The cell of each row. */
  readonly of: Int32Array;
  readonly truth: Int32Array;
  readonly prediction: Int32Array;
  readonly state: Uint8Array;
  readonly shouldAbstain: Int8Array;
  readonly mustAct: Int8Array;
  readonly urgent: Uint8Array;
  readonly nearLine: Uint8Array;
  readonly grounding: Int8Array;
  readonly stratum: Int32Array;
  /** 1 where the answer is right. */
  readonly correct: Uint8Array;
  /**
   * 1 where an answer can be called right or wrong: the truth is known, or is known not to exist (null with `should_abstain: true`). Other rows
   * have no label, and no metric that needs one counts them.
   */
  readonly gradable: Uint8Array;
}

/** States, deferral labels, `must_act`, urgency, nearness to a line, grounds for deferring. */
const FLAG_VALUES = 4 * 3 * 3 * 2 * 2 * 4;

export function buildCells(columns: Columns): Cells {
  const { n, truth, prediction, state, shouldAbstain, mustAct, urgent, nearLine, grounding } = columns;
  const stratum = columns.metadata.get(columns.stratum.key)!;
  const nLabels = columns.labels.size + 1;
  const nStrata = stratum.values.length + 1;
  const of = new Int32Array(n);
  const firstRow: number[] = [];
  const codes = new Map<number, number>();
  let lastKey = -1;
  let lastCode = -1;
  for (let i = 0; i < n; i++) {
    const labels = (truth[i]! + 1) * nLabels + prediction[i]! + 1;
    const marks = (state[i]! * 3 + shouldAbstain[i]! + 1) * 3 + mustAct[i]! + 1;
    const flags = ((marks * 2 + urgent[i]!) * 2 + nearLine[i]!) * 4 + grounding[i]! + 1;
    const key = (labels * nStrata + stratum.codes[i]! + 1) * FLAG_VALUES + flags;
    if (key !== lastKey) {
      lastKey = key;
      lastCode = codes.get(key) ?? firstRow.length;
      if (lastCode === firstRow.length) {
        codes.set(key, lastCode);
        firstRow.push(i);
      }
    }
    of[i] = lastCode;
  }
  const cellTruth = Int32Array.from(firstRow, (i) => truth[i]!);
  const cellPrediction = Int32Array.from(firstRow, (i) => prediction[i]!);
  const cellState = Uint8Array.from(firstRow, (i) => state[i]!);
  return {
    size: firstRow.length,
    of,
    truth: cellTruth,
    prediction: cellPrediction,
    state: cellState,
    shouldAbstain: Int8Array.from(firstRow, (i) => shouldAbstain[i]!),
    mustAct: Int8Array.from(firstRow, (i) => mustAct[i]!),
    urgent: Uint8Array.from(firstRow, (i) => urgent[i]!),
    nearLine: Uint8Array.from(firstRow, (i) => nearLine[i]!),
    grounding: Int8Array.from(firstRow, (i) => grounding[i]!),
    stratum: Int32Array.from(firstRow, (i) => stratum.codes[i]!),
    correct: Uint8Array.from(firstRow, (_, c) =>
      cellState[c] === ANSWERED && cellTruth[c] !== NO_LABEL && cellTruth[c] === cellPrediction[c] ? 1 : 0,
    ),
    gradable: Uint8Array.from(firstRow, (i) => (truth[i] !== NO_LABEL || shouldAbstain[i] === 1 ? 1 : 0)),
  };
}

/** What the decision on a row, or on the rows of a cell, is judged by. */
export function factsAt(
  columns: Pick<Columns, 'state' | 'truth' | 'prediction' | 'shouldAbstain' | 'mustAct' | 'urgent'>,
  i: number,
): DecisionFacts {
  const { truth, prediction } = columns;
  const flag = (code: number) => (code === UNLABELLED ? null : code === 1);
  const state = SCORED_STATES[columns.state[i]!]!;
  const labelled = truth[i] !== NO_LABEL;
  return {
    state,
    labelled,
    right: state === 'answered' && labelled && truth[i] === prediction[i],
    shouldAbstain: flag(columns.shouldAbstain[i]!),
    mustAct: flag(columns.mustAct[i]!),
    urgent: columns.urgent[i] === 1,
  };
}
