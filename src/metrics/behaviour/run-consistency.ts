import { ABSTAINED, ANSWERED, type Columns } from '../columns.ts';
import { type DefinedMetric, defineMetric } from '../define-metric.ts';
import { NO_LABEL } from '../label-table.ts';
import type { Sample } from '../sample.ts';
import { fleissKappa } from '../statistics/kappa.ts';

export interface Consistency {
  /** Records on which all runs decided alike (TARa@R). */
  readonly total_agreement_rate: number;
  /** Mean share of the commonest decision. */
  readonly mean_modal_agreement: number;
  /** Mean share of pairs of runs that agree. */
  readonly pairwise_agreement: number;
  /** Null when only one decision occurs, or when records have different numbers of runs. */
  readonly fleiss_kappa: number | null;
}

/**
 * How far repeated runs on the same records agree; abstaining is a decision of its own. Records with fewer than two runs say nothing and stay out;
 * null when none is left. Sources: Atil 2024, Fleiss 1971.
 *
 * @example
 * ```ts
 * runConsistency([['1', '1'], ['1', 'abstain']])!.total_agreement_rate // => 0.5
 * ```
 */
export function runConsistency(decisionsByRecord: readonly (readonly string[])[]): Consistency | null {
  const records = decisionsByRecord.filter((decisions) => decisions.length > 1).map(tally);
  if (records.length === 0) return null;
  const mean = (of: (record: Tally) => number) =>
    records.reduce((sum, record) => sum + of(record), 0) / records.length;
  const sameRuns = records.every(({ runs }) => runs === records[0]!.runs);
  const categories = [...new Set(records.flatMap(({ counts }) => [...counts.keys()]))];
  return {
    total_agreement_rate: mean(({ counts }) => Number(counts.size === 1)),
    mean_modal_agreement: mean(({ counts, runs }) => Math.max(...counts.values()) / runs),
    pairwise_agreement: mean(({ counts, runs }) => {
      const pairs = [...counts.values()].reduce((sum, k) => sum + k * (k - 1), 0);
      return pairs / (runs * (runs - 1));
    }),
    fleiss_kappa: sameRuns
      ? fleissKappa(records.map(({ counts }) => categories.map((category) => counts.get(category) ?? 0)))
      : null,
  };
}

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
    label: 'Run Consistency',
    family: 'behaviour',
    reads: 'records decided alike in every run',
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

interface Tally {
  readonly runs: number;
  readonly counts: ReadonlyMap<string, number>;
}

function tally(decisions: readonly string[]): Tally {
  const counts = new Map<string, number>();
  for (const decision of decisions) counts.set(decision, (counts.get(decision) ?? 0) + 1);
  return { runs: decisions.length, counts };
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

const grouped = new WeakMap<Columns, { firstRow: number; record: RepeatedRecord }[]>();

function byRecord(columns: Columns): { firstRow: number; record: RepeatedRecord }[] {
  const known = grouped.get(columns);
  if (known) return known;
  const rowsOf = new Map<number, number[]>();
  columns.record.codes.forEach((code, i) => {
    if (code === NO_LABEL) return;
    const rows = rowsOf.get(code);
    if (rows) rows.push(i);
    else rowsOf.set(code, [i]);
  });
  const records = [...rowsOf.values()]
    .filter((rows) => rows.length > 1)
    .map((rows) => {
      const decisions = rows.map((i) => decisionOf(columns, i));
      const right = rows.map(
        (i) => columns.state[i] === ANSWERED && columns.truth[i] === columns.prediction[i],
      );
      return { firstRow: rows[0]!, record: { decisions, right, alike: new Set(decisions).size === 1 } };
    });
  grouped.set(columns, records);
  return records;
}

function decisionOf(columns: Columns, i: number): string {
  if (columns.state[i] === ABSTAINED) return 'abstain';
  return columns.state[i] === ANSWERED ? `label ${columns.labels.keys[columns.prediction[i]!]}` : 'invalid';
}

/** Variance of mean accuracy: between records / n, and within records / (n R), R the mean number of runs. */
function varianceParts(scores: readonly (readonly number[])[]) {
  const n = scores.length;
  const means = scores.map((runs) => runs.reduce((a, b) => a + b, 0) / runs.length);
  const grand = means.reduce((a, b) => a + b, 0) / n;
  const between = n < 2 ? null : means.reduce((sum, mean) => sum + (mean - grand) ** 2, 0) / (n - 1) / n;
  const within = scores.map(
    (runs, r) => runs.reduce((sum, s) => sum + (s - means[r]!) ** 2, 0) / (runs.length - 1),
  );
  const meanRuns = scores.reduce((sum, runs) => sum + runs.length, 0) / n;
  return { between_records: between, within_records: within.reduce((a, b) => a + b, 0) / n / (n * meanRuns) };
}
