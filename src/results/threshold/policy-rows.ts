import {
  ABSTAINED,
  ANSWERED,
  type Columns,
  clusterOf,
  NO_LABEL,
  type RowTable,
} from '../../metrics/index.ts';

/** A row as a policy with a threshold sees it. */
export interface PolicyRow {
  /** What is drawn together: the patient, the record, or the call. */
  readonly unit: string;
  /** The record; empty where a row has no id. */
  readonly record: string;
  readonly state: 'right' | 'wrong' | 'abstained' | 'invalid' | 'failed';
  readonly confidence: number;
  /** Whether deferring is unsafe. */
  readonly mustAct: boolean;
  /** An answer where deferring was right: judged by its label, or wrong where no truth can be derived. */
  readonly onMustDefer: 'labelled' | 'no_truth' | null;
}

/** The rows of a run for a policy, and what was left out. */
export interface PolicyRows {
  /** What `unit` is: a metadata key, `id` for the record, or `call`. */
  readonly key: string;
  readonly rows: readonly PolicyRow[];
  /** Answers without a label on which no policy can be judged. */
  readonly nUnlabelled: number;
}

/** Takes rows out of their columns. A failed row has no answer, so a policy hands its patient over. */
export function policyRows({ scored, unscored }: RowTable, cluster: string | undefined): PolicyRows {
  const key = clusterOf(scored, cluster)?.key ?? 'id';
  const rows: PolicyRow[] = [];
  let nUnlabelled = 0;
  for (let i = 0; i < scored.n; i++) {
    const row = rowAt(scored, i, key);
    if (row === null) nUnlabelled += 1;
    else rows.push(row);
  }
  for (let i = 0; i < unscored.n; i++) {
    const mustAct = unscored.mustAct[i] === 1;
    rows.push({
      unit: unitOf(unscored, i, key, 'failed'),
      record: recordOf(unscored, i),
      state: 'failed',
      confidence: Number.NaN,
      mustAct,
      onMustDefer: null,
    });
  }
  return { key, rows, nUnlabelled };
}

function rowAt(columns: Columns, i: number, key: string): PolicyRow | null {
  const { state, truth, prediction, confidence, shouldAbstain, mustAct } = columns;
  const common = {
    unit: unitOf(columns, i, key, 'scored'),
    record: recordOf(columns, i),
    confidence: confidence[i]!,
    mustAct: mustAct[i] === 1,
  };
  if (state[i] !== ANSWERED)
    return { ...common, state: state[i] === ABSTAINED ? 'abstained' : 'invalid', onMustDefer: null };
  const hasTruth = truth[i] !== NO_LABEL;
  const mustDefer = shouldAbstain[i] === 1;
  if (!hasTruth && !mustDefer) return null;
  return {
    ...common,
    state: hasTruth && truth[i] === prediction[i] ? 'right' : 'wrong',
    onMustDefer: mustDefer ? (hasTruth ? 'labelled' : 'no_truth') : null,
  };
}

function recordOf({ record: { codes, values } }: Columns, i: number): string {
  return codes[i] === NO_LABEL ? '' : String(values[codes[i]!]);
}

/** Two rows with the same unit are never drawn into different parts; a row that belongs to nothing is alone. */
function unitOf({ record, call, metadata }: Columns, i: number, key: string, part: string): string {
  const column = key === 'id' ? record : key === 'call' ? call : metadata.get(key);
  const code = column?.codes[i] ?? NO_LABEL;
  if (code !== NO_LABEL) return `=${column!.values[code]}`;
  const own = record.codes[i]!;
  return own === NO_LABEL ? `row ${part} ${i}` : `record ${record.values[own]}`;
}
