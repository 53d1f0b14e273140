import { type DecisionFacts, isStrictlyRight } from '../../core/decision-class.ts';
import { factsAt } from '../../metrics/cells.ts';
import type { Columns, RowTable } from '../../metrics/columns.ts';
import { NO_LABEL } from '../../metrics/label-table.ts';
import { findCluster } from '../../metrics/resample.ts';

/** A row as a policy with a threshold sees it. */
export interface PolicyRow extends DecisionFacts {
  /** What is drawn together: the patient, the record, or the call. */
  readonly unit: string;
  /** The record; empty where a row has no id. */
  readonly record: string;
  readonly confidence: number;
}

/** Takes rows out of their columns. `key` says what `unit` is: a metadata key, `id` for the record, or `call`. A failed row has no answer, so a policy hands its patient over. */
export function policyRows({ scored, unscored }: RowTable, cluster: string | undefined) {
  const key = findCluster(scored, cluster)?.key ?? 'id';
  const rowAt = (columns: Columns, i: number, part: string): PolicyRow => ({
    ...factsAt(columns, i),
    unit: unitOf(columns, i, key, part),
    record: recordOf(columns, i),
    confidence: columns.confidence[i]!,
  });
  return {
    key,
    rows: [
      ...Array.from({ length: scored.n }, (_, i) => rowAt(scored, i, 'scored')),
      ...Array.from({ length: unscored.n }, (_, i) => ({
        ...rowAt(unscored, i, 'failed'),
        state: 'failed' as const,
      })),
    ],
  };
}

/** Whether a policy can be judged on the row: not on an answer without a label, unless the case should have been deferred. */
export function isJudged({ state, labelled, shouldAbstain }: PolicyRow): boolean {
  return state !== 'answered' || labelled || shouldAbstain === true;
}

/** How the row counts in the promised risk: an answer is right by the strict measure, or wrong. */
export function riskState(row: PolicyRow): PolicyRow['state'] | 'right' | 'wrong' {
  if (row.state !== 'answered') return row.state;
  return isStrictlyRight(row) ? 'right' : 'wrong';
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
