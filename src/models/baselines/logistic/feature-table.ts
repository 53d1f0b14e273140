import type { FeatureValue } from '../../../core/index.ts';
import type { Features } from '../../../suites/index.ts';
import { type Column, categoryColumns, columnsThrough, flagColumns, numberColumns } from './columns.ts';
import { leavesOf, numberOf } from './leaves.ts';
import { listColumns } from './list-columns.ts';

/** How features become the numbers of a regression, learned from training rows only. */
export interface FeatureTable {
  readonly columns: readonly string[];
  readonly read: (features: Features) => number[];
}

/**
 * Learns the columns from the features of the training rows. The values of a feature decide its columns: numbers, booleans,
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
export function featureTable(training: readonly Features[]): FeatureTable {
  const rows = training.map(leavesOf);
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))].sort();
  const columns = names.flatMap((name) => {
    const take = (row: Map<string, FeatureValue>) => row.get(name) ?? null;
    return columnsThrough(columnsOf(name, rows.map(take)), take).filter((column) => varies(column, rows));
  });
  return {
    columns: columns.map(({ name }) => name),
    read: (features) => {
      const row = leavesOf(features);
      return columns.map(({ read }) => read(row));
    },
  };
}

function columnsOf(name: string, training: readonly FeatureValue[]): Column<FeatureValue>[] {
  return [
    ...columnsThrough(numberColumns(name, training.map(numberOf)), numberOf),
    ...flagColumns(name, training),
    ...categoryColumns(name, training),
    ...listColumns(name, training),
  ];
}

function varies<Row>({ read }: Column<Row>, rows: readonly Row[]): boolean {
  const first = rows[0] && read(rows[0]);
  return rows.some((row) => read(row) !== first);
}
