import { z } from 'zod';
import type { Shape } from '../../core/codec.ts';
import { type DecisionFacts, isStrictlyRight } from '../../core/decision-class.ts';
import { statusOfScore } from '../../metrics/act/confidence-status.ts';
import { factsAt } from '../../metrics/cells.ts';
import type { Columns, RowTable } from '../../metrics/columns.ts';
import { NO_LABEL } from '../../metrics/label-table.ts';
import type { MetricScore } from '../../metrics/metric.ts';
import { findCluster } from '../../metrics/resample.ts';
import { Sample } from '../../metrics/sample.ts';
import type { Scorecard } from '../../metrics/score.ts';
import { aurocConfidence } from '../../metrics/selective/separation.ts';

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
    unit: nameUnit(columns, i, key, part),
    record: readRecord(columns, i),
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

function readRecord({ record: { codes, values } }: Columns, i: number): string {
  return codes[i] === NO_LABEL ? '' : String(values[codes[i]!]);
}

/** Two rows with the same unit are never drawn into different parts; a row that belongs to nothing is alone. */
function nameUnit({ record, call, metadata }: Columns, i: number, key: string, part: string): string {
  const column = key === 'id' ? record : key === 'call' ? call : metadata.get(key);
  const code = column?.codes[i] ?? NO_LABEL;
  if (code !== NO_LABEL) return `=${column!.values[code]}`;
  const own = record.codes[i]!;
  return own === NO_LABEL ? `row ${part} ${i}` : `record ${record.values[own]}`;
}

export const thresholdConfidenceSchema = z.object({
  status: z.enum(['inverted', 'uninformative', 'informative']).nullable(),
  reason: z.enum(['too_few_usable_rows', 'too_few_errors', 'too_few_right', 'no_interval']).nullable(),
  auroc: z.number().nullable(),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
});
const METRIC = aurocConfidence({ strict: true });

/** By the run's own score, so that a threshold and the run's warnings agree. Scores without intervals cannot tell, so it is then scored again. */
export function thresholdConfidence(
  { scored }: RowTable,
  {
    cluster,
    card,
  }: {
    readonly cluster: string | undefined;
    readonly card: Pick<Scorecard, 'scores' | 'method'> | undefined;
  },
): Shape<typeof thresholdConfidenceSchema> {
  const own = card?.scores.find(({ name }) => name === METRIC.name);
  if (own !== undefined && statusOfScore(own).reason !== 'no_interval') return describeStatus(own);
  const { level, seed } = card?.method ?? {};
  return describeStatus(
    METRIC.compute(Sample.from(scored), {
      breakdown: false,
      ...(cluster !== undefined && { cluster }),
      ...(level !== undefined && { level }),
      ...(seed !== undefined && { seed }),
    }),
  );
}

function describeStatus(score: MetricScore): Shape<typeof thresholdConfidenceSchema> {
  const { status, reason } = statusOfScore(score);
  const { value: auroc, interval } = score;
  return { status, reason, auroc, lower: interval?.lower ?? null, upper: interval?.upper ?? null };
}
