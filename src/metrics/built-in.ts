import type { ScoreOptions } from '../statistics/index.ts';
import { type DefinedMetric, defineMetric } from './define-metric.ts';
import type { MetricSpec } from './metric.ts';
import type { Sample } from './sample.ts';

type BuiltIn = MetricSpec & Required<Pick<MetricSpec, 'label' | 'family' | 'reads' | 'better' | 'restsOn'>>;
type FormulaName = 'proportion' | 'estimate' | 'nEvaluated' | 'nAbstained' | 'details';
type Formula<Table, Result> = (table: Table, sample: Sample, options: ScoreOptions) => Result;

/** A table that rows are counted into; `n` is how many of them it holds. */
interface Counted {
  readonly n: number;
}

/** A built-in metric whose formulas read a table. */
export type TableSpec<Table> = Omit<BuiltIn, FormulaName> & {
  readonly [F in FormulaName]?: Formula<Table, ReturnType<NonNullable<MetricSpec[F]>>>;
};

/** A built-in metric on a table of the sample. It rests on the rows in the table; without any, an estimate is null with `emptyReason`. */
export function tableMetric<Table extends Counted>(
  tableOf: (sample: Sample) => Table,
  { proportion, estimate, nEvaluated = ({ n }) => n, nAbstained, details, ...spec }: TableSpec<Table>,
): DefinedMetric {
  const { emptyReason = 'no_rows' } = spec;
  const onSample = <T>(formula: Formula<Table, T> | undefined) =>
    formula && ((sample: Sample, options: ScoreOptions = {}) => formula(tableOf(sample), sample, options));
  return defineMetric({
    ...spec,
    proportion: onSample(proportion),
    estimate: onSample(
      estimate && ((table, ...rest) => (table.n === 0 ? emptyReason : estimate(table, ...rest))),
    ),
    nEvaluated: onSample(nEvaluated),
    nAbstained: onSample(nAbstained),
    details: onSample(details),
  });
}

/** Defines the metrics of a family: all read the same table and share some fields, which a metric may override. */
export function metricFamily<Table extends Counted, Shared extends Partial<TableSpec<Table>>>(
  tableOf: (sample: Sample) => Table,
  shared: Shared,
) {
  type Own = Omit<TableSpec<Table>, keyof Shared> & Partial<TableSpec<Table>>;
  return <Options extends unknown[]>(specOf: (...options: Options) => Own) =>
    (...options: Options): DefinedMetric =>
      tableMetric(tableOf, { ...shared, ...specOf(...options) } as TableSpec<Table>);
}

const onConfidences = {
  better: 'lower',
  restsOn: 'confidence',
  answeredOnly: true,
  emptyReason: 'no_usable_confidence',
} as const;
const confidencesOf = (sample: Sample) => sample.confidence;

/** Metrics on the usable rows: answered, truth known, a valid confidence stated. */
export const calibrationMetric = metricFamily(confidencesOf, { ...onConfidences, family: 'calibration' });
export const selectiveMetric = metricFamily(confidencesOf, { ...onConfidences, family: 'selective' });
