import { Sample } from '../../../src/entries/metrics.ts';
import { type EvaluationResult, evaluationResult, type Metric } from '../../../src/index.ts';

type Row = Parameters<typeof evaluationResult>[0];

/** The same row as often as it occurred. */
export function times(count: number, row: Row): EvaluationResult[] {
  return Array.from({ length: count }, () => evaluationResult(row));
}

/** What a metric makes of the rows. A picture of a number that does not exist is a mistake in the picture. */
export function scoreOf(metric: Metric, rows: readonly EvaluationResult[]): number {
  const { value, reason } = metric.compute(Sample.of(rows), { resamples: 0 });
  if (value === null) throw new Error(`${metric.name}: no value (${reason})`);
  return value;
}
