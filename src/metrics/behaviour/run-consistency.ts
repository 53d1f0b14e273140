import { oncePer } from '../../core/collections.ts';
import { runConsistency } from '../../statistics/kappa.ts';
import { mean } from '../../statistics/samples.ts';
import { ABSTAINED, ANSWERED, type Columns } from '../columns.ts';
import { type DefinedMetric, defineMetric } from '../define-metric.ts';
import { members } from '../resample.ts';
import type { Sample } from '../sample.ts';

/**
 * Agreement of repeated runs as a metric: rows that share an `id` are runs of one record. The value is the total agreement rate; the other
 * measures, the share of records right in every run, and the two parts of the variance of accuracy are in the details. No record with two rows: null.
 *
 * @example
 * ```ts
 * runConsistencyMetric().compute([
 *   evaluationResult({ id: 'a', prediction: 1, groundTruth: 1 }),
 *   evaluationResult({ id: 'a', prediction: 0, groundTruth: 1 }),
 * ]).value // => 0
 * ```
 */
export function runConsistencyMetric(): DefinedMetric {
  return defineMetric({
    name: 'run_consistency',
    acrossRows: true,
    label: 'Run Consistency',
    family: 'behaviour',
    reads: 'cases decided alike in every run',
    formula: 'cases decided alike in every run / cases asked several times',
    misleads: 'A model can be wrong the same way every time. Falls with the number of runs.',
    better: 'higher',
    restsOn: 'rows',
    emptyReason: 'no_repeated_records',
    proportion: (sample) => {
      const records = repeatedRecords(sample);
      return { successes: records.filter(({ alike }) => alike).length, n: records.length };
    },
    details: (sample) => {
      const records = repeatedRecords(sample);
      if (records.length === 0) return {};
      return {
        ...runConsistency(records.map(({ decisions }) => decisions)),
        all_runs_correct_rate: records.filter(({ right }) => right.every(Boolean)).length / records.length,
        variance_of_accuracy: varianceParts(records.map(({ right }) => right.map(Number))),
      };
    },
  });
}

interface RepeatedRecord {
  readonly decisions: readonly string[];
  readonly right: readonly boolean[];
  readonly alike: boolean;
}

/** Records with at least two rows, each as often as it was drawn. */
function repeatedRecords(sample: Sample): RepeatedRecord[] {
  const { columns, weights } = sample;
  const records = byRecord(columns);
  if (weights === null) return records.map(({ record }) => record);
  return records.flatMap(({ firstRow, record }) =>
    new Array<RepeatedRecord>(weights[firstRow]!).fill(record),
  );
}

const byRecord = oncePer((columns: Columns): { firstRow: number; record: RepeatedRecord }[] => {
  const repeated = members(columns.record.codes).filter((rows) => rows.length > 1);
  return repeated.map((codes) => {
    const rows = Array.from(codes);
    const decisions = rows.map((i) => nameDecision(columns, i));
    const right = rows.map(
      (i) => columns.state[i] === ANSWERED && columns.truth[i] === columns.prediction[i],
    );
    return { firstRow: rows[0]!, record: { decisions, right, alike: new Set(decisions).size === 1 } };
  });
});

function nameDecision(columns: Columns, i: number): string {
  if (columns.state[i] === ABSTAINED) return 'abstain';
  return columns.state[i] === ANSWERED ? `label ${columns.labels.keys[columns.prediction[i]!]}` : 'invalid';
}

/** Variance of mean accuracy: between records / n, and within records / (n R), R the mean number of runs. */
function varianceParts(scores: readonly (readonly number[])[]) {
  const n = scores.length;
  const means = scores.map((runs) => mean(runs)!);
  const grand = mean(means)!;
  const between = n < 2 ? null : means.reduce((sum, own) => sum + (own - grand) ** 2, 0) / (n - 1) / n;
  const within = scores.map(
    (runs, r) => runs.reduce((sum, s) => sum + (s - means[r]!) ** 2, 0) / (runs.length - 1),
  );
  const meanRuns = scores.reduce((sum, runs) => sum + runs.length, 0) / n;
  return { between_records: between, within_records: within.reduce((a, b) => a + b, 0) / n / (n * meanRuns) };
}
