import { canonicalJson, type PatientRecord, quoted, sameLabel } from '../../core/index.ts';
import { isARecoding } from './leaks.ts';
import { type ColumnValues, type LabelColumn, labelList } from './read-columns.ts';
import type { Column } from './roles.ts';

const MOST_LINES = 5;

/** What is allowed but worth checking. Warnings may end up in reports, so they name columns and lines, never the content of a cell. */
export function tableWarnings(
  shown: readonly (ColumnValues & Column)[],
  shouldAbstain: Column | null,
  records: readonly PatientRecord[],
  { labels, values }: LabelColumn,
): string[] {
  const strays = shown
    .filter((column) => column.strays.length > 0)
    .map(({ name, strays }) => {
      const more = strays.length > MOST_LINES ? ` and ${strays.length - MOST_LINES} more` : '';
      return (
        `column ${quoted(name)} is shown as text, though most of its cells are numbers: line ${strays.slice(0, MOST_LINES).join(', ')}${more} ` +
        'is not; if that means "not measured", add it to missing'
      );
    });
  const recoded = shown
    .filter((column) => isARecoding(column.values, values))
    .map(
      ({ name }) =>
        `column ${quoted(name)} gives the label away: each of its values goes with one label only`,
    );
  const absent = labels
    .filter((label) => !values.some((value) => value !== null && sameLabel(value, label)))
    .map((label) => `no row has the label ${labelList([label])}`);
  const copies = records.length - new Set(records.map(({ features }) => canonicalJson(features))).size;
  const unlabelled =
    shouldAbstain !== null && records.every(({ metadata }) => metadata.should_abstain === null);
  return [
    ...strays,
    ...recoded,
    ...absent,
    ...(copies === 0
      ? []
      : [`${copies} ${copies === 1 ? 'row shows' : 'rows show'} the same as an earlier row`]),
    ...(unlabelled
      ? [`column ${quoted(shouldAbstain.name)} is empty in every row: deferral cannot be scored`]
      : []),
  ];
}
