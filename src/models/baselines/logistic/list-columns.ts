import type { FeatureValue } from '../../../core/index.ts';
import { mean } from '../../../statistics/index.ts';
import { type Column, columnsThrough, numberColumns } from './columns.ts';
import { isList, isObject, leavesOf, numberOf } from './leaves.ts';

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
        read: (value: FeatureValue) => of(seriesOf(value, field)),
      })),
    ),
  ];
}

function seriesOf(value: FeatureValue, field: string): number[] {
  if (!isList(value)) return [];
  return value.map((item) => numberOf(fieldsOf(item).get(field))).filter((x) => x !== null);
}

function numericFields(lists: readonly (readonly FeatureValue[])[]): string[] {
  const names = lists
    .flat()
    .flatMap((item) =>
      [...fieldsOf(item)].filter(([, value]) => numberOf(value) !== null).map(([name]) => name),
    );
  return [...new Set(names)].sort();
}

/** A plain item is its own field, without a name. */
function fieldsOf(item: FeatureValue): Map<string, FeatureValue> {
  return isObject(item) ? leavesOf(item) : new Map([['', item]]);
}
