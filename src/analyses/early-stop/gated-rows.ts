import { KrisisError } from '../../core/errors.ts';
import { type EvaluationResult, evaluationResult } from '../../core/evaluation-result.ts';
import type { Label } from '../../core/label.ts';
import { isScored } from '../../core/states.ts';
import type { TableOptions } from '../../metrics/columns.ts';
import type { Metric } from '../../metrics/metric.ts';
import { Sample } from '../../metrics/sample.ts';
import type { Gate } from '../../runs/conditions/expression.ts';
import { mean } from '../../statistics/samples.ts';

/** Whether a metric is a share that each row adds to by itself. */
export function isShareByRow({ acrossRows = false, proportion }: Metric): boolean {
  return proportion !== undefined && !acrossRows;
}

/** What a row adds to a share, on a scale where 1 is a success: its value with a failed row taken as the worst, and as the best. Null: the row is not counted. */
export interface RowValue {
  readonly low: number | null;
  readonly high: number | null;
}

/** Reads what single rows add to a share. */
export function rowValues(
  metric: Metric,
  { labels, ...options }: TableOptions & { readonly labels: readonly Label[] },
): (row: EvaluationResult) => RowValue {
  const counted = (row: EvaluationResult): number | null => {
    const { successes, n } = metric.proportion!(
      Sample.of([row], { keep: metric.metadataKeys ?? [], ...options }),
    );
    return n === 0 ? null : successes / n;
  };
  return (row) => {
    if (isScored(row.state)) {
      const value = counted(row);
      return { low: value, high: value };
    }
    const { id, groundTruth, metadata } = row;
    const could = [true, false]
      .flatMap((urgent) => [
        ...labels.map((prediction) => evaluationResult({ id, groundTruth, metadata, urgent, prediction })),
        evaluationResult({ id, groundTruth, metadata, urgent, abstained: true }),
      ])
      .flatMap((answer) => counted(answer) ?? []);
    if (could.length === 0) return { low: null, high: null };
    return { low: Math.min(...could), high: Math.max(...could) };
  };
}

/** What the rows of one unit add together; null where none of them counts. */
export function averageRows(rows: readonly RowValue[]): RowValue {
  const average = (end: 'low' | 'high') => mean(rows.flatMap((row) => row[end] ?? []));
  return { low: average('low'), high: average('high') };
}

/** What a gate asks of its metric: that a bound shows it, or that the value of the full run has it. */
export type GateSide = { readonly kind: 'bound'; readonly isMirrored: boolean } | { readonly kind: 'value' };

/**
 * How a gate is decided early.
 *
 * @throws KrisisError for a gate that no look before the end can decide.
 */
export function gateSide(
  { of, operator, text, metric: metricName }: Gate,
  metric: Metric | undefined,
): GateSide {
  const refuse = (why: string): never => {
    throw new KrisisError(`'${text}' cannot stop a run early: ${why}`, {
      code: 'ERR_STOP_EARLY_METRIC',
      value: text,
    });
  };
  if (metric === undefined || !isShareByRow(metric))
    refuse(
      `${metricName} is not a share that cases add to one by one, so no bound of it holds at every look; check it at the end of a full run, or use accuracy, decision_accuracy, selective_accuracy, answer_rate or unsafe_decision_rate`,
    );
  if (operator === '==' || operator === '!=') refuse('use >=, >, <= or <');
  if (of === 'value') return { kind: 'value' };
  const isFloor = operator === '>=' || operator === '>';
  if (isFloor !== (of === 'lower'))
    refuse(`use lower(...) >= for a least value and upper(...) <= for a greatest one`);
  return { kind: 'bound', isMirrored: !isFloor };
}
