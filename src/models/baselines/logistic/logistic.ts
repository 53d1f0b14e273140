import { canonicalJson } from '../../../core/canonical-json.ts';
import type { FeatureValue } from '../../../core/patient-record.ts';
import { mean } from '../../../statistics/samples.ts';
import type { Features, Task } from '../../../suites/task.ts';
import type { BaselineRule } from '../rules.ts';
import type { TrainingRow } from '../training-rows.ts';
import { type Column, categoryColumns, columnsThrough, flagColumns, numberColumns } from './columns.ts';
import { fitSoftmax } from './softmax-regression.ts';

/**
 * Logistic regression fitted on the training part: what a plain statistical model achieves with the same features. It answers the most
 * probable label (ties go to the first in the task's order) with its probability as confidence, and never abstains. `featureTable` turns
 * features into numbers, `fitSoftmax` fits the model. A label that no training row has is never answered.
 *
 * @example
 * ```ts
 * const training = [{ features: { age: 40 }, label: 1 }, { features: { age: 60 }, label: 0 }];
 * const rule = logistic({ labels: ['yes', 'no'] }, training);
 * rule({ id: 'a', features: { age: 58 } }).prediction // => 'yes'
 * rule({ id: 'b', features: { age: null } }).confidence // => 0.5
 * ```
 */
export function logistic({ labels }: Pick<Task, 'labels'>, training: readonly TrainingRow[]): BaselineRule {
  const rows = inOrderOfContent(training);
  const seen = [...new Set(rows.map(({ label }) => label))].sort((a, b) => a - b);
  const table = featureTable(rows.map(({ features }) => features));
  const { probabilities, converged, gradientNorm } = fitSoftmax(
    rows.map(({ features }) => table.read(features)),
    rows.map(({ label }) => seen.indexOf(label)),
    seen.length,
  );
  const fit = `logistic regression on ${rows.length} training rows${
    converged ? '' : ` (fit not converged: gradient norm ${gradientNorm.toExponential(1)})`
  }`;
  return ({ features }) => {
    const chances = probabilities(table.read(features));
    const confidence = Math.max(...chances);
    const prediction = labels[seen[chances.indexOf(confidence)]!]!;
    return {
      prediction,
      abstained: false,
      confidence,
      confidenceSource: 'calibrated',
      rawResponse: `${fit}: ${prediction} with probability ${confidence.toFixed(3)}`,
    };
  };
}

/** Floating-point sums depend on their order; sorting the rows makes the fit independent of it. */
function inOrderOfContent(rows: readonly TrainingRow[]): TrainingRow[] {
  return rows
    .map((row) => ({ row, content: canonicalJson(row) }))
    .toSorted((a, b) => (a.content < b.content ? -1 : a.content > b.content ? 1 : 0))
    .map(({ row }) => row);
}

/**
 * How features become the numbers of a regression. Learns the columns from the features of the training rows. The values of a feature decide its columns: numbers, booleans,
 * text or lists; a feature with several kinds gets the columns of each. Null and an absent name both mean not measured.
 * Columns that are constant over the training rows are dropped, and features that no training row had are
 * ignored. Names are sorted, so the order of rows and names does not matter.
 *
 * @example
 * ```ts
 * const table = featureTable([{ age: 40, sex: 'f', site: 'A' }, { age: 60, sex: 'm', site: 'A' }]);
 * table.columns // => ['age', 'sex = f', 'sex = m']
 * table.read({ age: 60, sex: 'f', site: 'B', unheard: 7 }) // => [1, 1, 0]
 * ```
 */
export function featureTable(training: readonly Features[]) {
  const rows = training.map(flattenObject);
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))].sort();
  const columns = names.flatMap((name) => {
    const take = (row: Map<string, FeatureValue>) => row.get(name) ?? null;
    return columnsThrough(encodeColumns(name, rows.map(take)), take).filter((column) => varies(column, rows));
  });
  return {
    columns: columns.map(({ name }) => name),
    read: (features: Features) => {
      const row = flattenObject(features);
      return columns.map(({ read }) => read(row));
    },
  };
}

function encodeColumns(name: string, training: readonly FeatureValue[]): Column<FeatureValue>[] {
  return [
    ...columnsThrough(numberColumns(name, training.map(toNumber)), toNumber),
    ...flagColumns(name, training),
    ...categoryColumns(name, training),
    ...listColumns(name, training),
  ];
}

function varies<Row>({ read }: Column<Row>, rows: readonly Row[]): boolean {
  const first = rows[0] && read(rows[0]);
  return rows.some((row) => read(row) !== first);
}

/** The summaries of one field's measured values, in the order of the list. */
const SUMMARIES: Readonly<Record<string, (series: readonly number[]) => number | null>> = {
  first: (series) => series[0] ?? null,
  last: (series) => series.at(-1) ?? null,
  mean,
  // The change of a single value is unknown, not 0.
  change: (series) => (series.length < 2 ? null : series.at(-1)! - series[0]!),
};

/**
 * A list of objects, such as dated visits: how many there are, and of each numeric field the first, last and mean value and the
 * change (last - first), over the items in which it was measured, in the order given. Each is then a number like any other
 * (see numberColumns). A list of plain numbers is read as one field. Text inside a list is ignored.
 *
 * @example
 * ```ts
 * const visits = [{ month: 0, egfr: 60 }, { month: 6, egfr: null }, { month: 12, egfr: 50 }];
 * listSummaries(['egfr']).map(({ name, read }) => [name, read(visits)])
 * // => [['count', 3], ['first egfr', 60], ['last egfr', 50], ['mean egfr', 55], ['change of egfr', -10]]
 * ```
 */
export function listColumns(name: string, training: readonly FeatureValue[]): Column<FeatureValue>[] {
  const lists = training.filter(isList);
  if (lists.length === 0) return [];
  return listSummaries(numericFields(lists)).flatMap(({ name: summary, read }) =>
    columnsThrough(numberColumns(`${name}: ${summary}`, training.map(read)), read),
  );
}

/** The summaries of a list, by name; null where there is nothing to summarise. */
export function listSummaries(
  fields: readonly string[],
): { readonly name: string; readonly read: (value: FeatureValue) => number | null }[] {
  return [
    { name: 'count', read: (value) => (isList(value) ? value.length : null) },
    ...fields.flatMap((field) =>
      Object.entries(SUMMARIES).map(([summary, of]) => ({
        name: [summary === 'change' ? 'change of' : summary, field].filter(Boolean).join(' '),
        read: (value: FeatureValue) => of(readSeries(value, field)),
      })),
    ),
  ];
}

function readSeries(value: FeatureValue, field: string): number[] {
  if (!isList(value)) return [];
  return value.map((item) => toNumber(readFields(item).get(field))).filter((x) => x !== null);
}

function numericFields(lists: readonly (readonly FeatureValue[])[]): string[] {
  const names = lists
    .flat()
    .flatMap((item) =>
      [...readFields(item)].filter(([, value]) => toNumber(value) !== null).map(([name]) => name),
    );
  return [...new Set(names)].sort();
}

/** A plain item is its own field, without a name. */
function readFields(item: FeatureValue): Map<string, FeatureValue> {
  return isObject(item) ? flattenObject(item) : new Map([['', item]]);
}

/**
 * The values of an object by name; of an object inside it, by `outer > inner`. Lists stay whole.
 *
 * @example
 * ```ts
 * [...flattenObject({ age: 61, urine: { ph: 6, visits: [1, 2] } })]
 * // => [['age', 61], ['urine > ph', 6], ['urine > visits', [1, 2]]]
 * ```
 */
export function flattenObject(object: { readonly [name: string]: FeatureValue }): Map<string, FeatureValue> {
  return new Map(
    Object.entries(object).flatMap(([name, value]): [string, FeatureValue][] =>
      isObject(value)
        ? [...flattenObject(value)].map(([inner, leaf]) => [`${name} > ${inner}`, leaf])
        : [[name, value]],
    ),
  );
}

export function isObject(
  value: FeatureValue | undefined,
): value is { readonly [name: string]: FeatureValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: FeatureValue | undefined): value is readonly FeatureValue[] {
  return Array.isArray(value);
}

/** The value as a number; null where it is not a finite number. */
export function toNumber(value: FeatureValue | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
