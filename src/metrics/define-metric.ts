import { argumentError } from '../core/errors.ts';
import type { ScoreOptions } from '../statistics/score-options.ts';
import { ALL_KEYS } from './columns.ts';
import type { ConfidenceBlocks } from './confidence-blocks.ts';
import { countDeferrals } from './deferral/deferral-table.ts';
import { type Metric, type MetricScore, type MetricSpec, type Rows, whyEmpty } from './metric.ts';
import { Sample } from './sample.ts';
import { scoreMetrics } from './score-metrics.ts';

/** A metric that computes complete scores. */
export interface DefinedMetric extends Metric {
  compute(rows: Rows, options?: ScoreOptions): MetricScore;
}

/**
 * Defines a metric from a name and a formula. A `proportion` gets Wilson's interval; an `estimate` is resampled.
 *
 * @example
 * ```ts
 * const share = defineMetric({
 *   name: 'share_correct',
 *   estimate: (rows) => [...rows].filter((row) => row.correct).length / [...rows].length,
 * });
 * share.compute([evaluationResult({ prediction: 'a', groundTruth: 'a' }), evaluationResult({ prediction: 'b', groundTruth: 'a' })]).value // => 0.5
 * ```
 */
export function defineMetric(spec: MetricDefinition): DefinedMetric {
  return makeMetric(spec);
}

/** What a metric of your own is made of: its name, and one formula. */
export type MetricDefinition = Omit<MetricSpec, FormulaField> &
  (OneFormula<'proportion'> | OneFormula<'estimate'> | OneFormula<'derived'>);

type FormulaField = 'proportion' | 'estimate' | 'derived';
type OneFormula<Field extends FormulaField> = {
  readonly [F in Field]: NonNullable<MetricSpec[F]>;
} & { readonly [F in Exclude<FormulaField, Field>]?: undefined };

function makeMetric(spec: MetricSpec): DefinedMetric {
  if (
    [spec.proportion, spec.estimate, spec.derived].filter((formula) => formula !== undefined).length !== 1
  ) {
    throw argumentError(`metric "${spec.name}": give either a proportion or an estimate`, spec);
  }
  const metric: DefinedMetric = {
    ...spec,
    compute: (rows, options) =>
      scoreMetrics(
        Sample.of(rows, { keep: neededKeys([metric], options), stratum: options?.stratum }),
        [metric],
        options,
      )[0]!,
  };
  return metric;
}

/** Metadata keys that these metrics and options read. */
export function neededKeys(metrics: readonly Metric[], options: ScoreOptions = {}): string[] {
  const keys = metrics.flatMap((metric) => metric.metadataKeys ?? [ALL_KEYS]);
  return options.cluster === undefined || options.cluster === 'id' ? keys : [...keys, options.cluster];
}

type FormulaName = 'proportion' | 'estimate' | 'nEvaluated' | 'nAbstained' | 'ungateable' | 'details';
type Formula<Table, Result> = (table: Table, sample: Sample, options: ScoreOptions) => Result;

/** A table that rows are counted into; `n` is how many of them it holds. */
interface Counted {
  readonly n: number;
}

/** A built-in metric whose formulas read a table. */
export type TableSpec<Table> = Omit<MetricSpec, FormulaName> &
  Required<Pick<MetricSpec, 'label' | 'family' | 'reads' | 'formula' | 'misleads' | 'better' | 'restsOn'>> & {
    readonly [F in FormulaName]?: Formula<Table, ReturnType<NonNullable<MetricSpec[F]>>>;
  };

/** A built-in metric on a table of the sample. It rests on the rows in the table; without any, an estimate is null with `emptyReason`. */
export function tableMetric<Table extends Counted>(
  readTable: (sample: Sample) => Table,
  {
    proportion,
    estimate,
    nEvaluated = ({ n }) => n,
    nAbstained,
    ungateable,
    details,
    ...spec
  }: TableSpec<Table>,
): DefinedMetric {
  const onSample = <T>(formula: Formula<Table, T> | undefined) =>
    formula && ((sample: Sample, options: ScoreOptions = {}) => formula(readTable(sample), sample, options));
  return makeMetric({
    metadataKeys: [],
    ...spec,
    proportion: onSample(proportion),
    estimate: onSample(
      estimate &&
        ((table, sample, options) =>
          table.n === 0 ? whyEmpty(spec, sample) : estimate(table, sample, options)),
    ),
    nEvaluated: onSample(nEvaluated),
    nAbstained: onSample(nAbstained),
    ungateable: onSample(ungateable),
    details: onSample(details),
  });
}

/** Defines the metrics of a family: all read the same table and share some fields, which a metric may override. */
export function metricFamily<Table extends Counted, Shared extends Partial<TableSpec<Table>>>(
  readTable: (sample: Sample) => Table,
  shared: Shared,
) {
  type Own = Omit<TableSpec<Table>, keyof Shared> & Partial<TableSpec<Table>>;
  return <Options extends unknown[]>(createSpec: (...options: Options) => Own) =>
    (...options: Options): DefinedMetric =>
      tableMetric(readTable, { ...shared, ...createSpec(...options) } as TableSpec<Table>);
}

/** How a metric treats answers on rows that should be deferred. */
export interface UnanswerableOption {
  /** An answer where no answer exists (a null truth and `should_abstain: true`). `failure`: it is wrong, with the confidence it states. `excluded`: the row is left out. Default: `failure`. */
  readonly unanswerable?: 'failure' | 'excluded';
  /** Whether any answer on a row that should be deferred is a failure, also where it equals the label. Default: false. */
  readonly strict?: boolean;
}

/** The usable rows by confidence: answered with a valid confidence, and known to be right or wrong. */
export function selectBlocks(
  sample: Sample,
  { unanswerable = 'failure', strict = false }: UnanswerableOption = {},
): ConfidenceBlocks {
  if (strict) return sample.strictConfidence;
  return unanswerable === 'excluded' ? sample.answerableConfidence : sample.confidence;
}

type Options<Own> = Own & UnanswerableOption;

/** Defines metrics on a table of usable rows. All of them take `unanswerable` and `strict`, and say so in their name. */
export function confidenceFamily<Table extends Counted, Shared extends Partial<TableSpec<Table>>>(
  readTable: (sample: Sample, options: UnanswerableOption) => Table,
  shared: Shared,
) {
  type Spec = Omit<TableSpec<Table>, keyof Shared> & Partial<TableSpec<Table>>;
  return <Own extends object = object>(createSpec: (options: Options<Own>) => Spec) =>
    (...[options]: object extends Own ? [Options<Own>?] : [Options<Own>]): DefinedMetric => {
      const given = (options ?? {}) as Options<Own>;
      const spec = { ...shared, ...createSpec(given) } as TableSpec<Table>;
      const onAnswerable = {
        name: `${spec.name}_answerable`,
        label: `${spec.label} (answerable cases only)`,
        ...NOT_REPORTED,
      };
      const strictly = { name: `${spec.name}_strict`, label: `${spec.label} (strict)` };
      return tableMetric((sample) => readTable(sample, given), {
        ...spec,
        ...(given.unanswerable === 'excluded' && { ...onAnswerable, ...whereLabelled(spec) }),
        ...(given.strict && strictly),
      });
    };
}

/** Scores on answerable rows are listed, and nothing else: the others have a place of their own. */
const NOT_REPORTED = {
  follows: undefined,
  compared: undefined,
  endpoint: undefined,
  rowScores: undefined,
} as const;

/** Which rows call for an answer is known only where deferral labels exist: without any, the metric has no value. */
function whereLabelled<Table extends Counted>({
  estimate,
  nEvaluated = ({ n }) => n,
}: TableSpec<Table>): Partial<TableSpec<Table>> {
  const hasLabels = (sample: Sample) => countDeferrals(sample).n > 0;
  return {
    ...(estimate && {
      estimate: (table, sample, options) =>
        hasLabels(sample) ? estimate(table, sample, options) : 'no_deferral_labels',
    }),
    nEvaluated: (table, sample, options) => (hasLabels(sample) ? nEvaluated(table, sample, options) : 0),
  };
}

const onConfidences = {
  better: 'lower',
  restsOn: 'confidence',
  answeredOnly: true,
  emptyReason: 'no_usable_confidence',
} as const;

export const calibrationMetric = confidenceFamily(selectBlocks, { ...onConfidences, family: 'calibration' });
export const selectiveMetric = confidenceFamily(selectBlocks, { ...onConfidences, family: 'selective' });
