import { UCI_CLASSES, UCI_FEATURES, type UciClass } from './columns.ts';
import type { Slot } from './header.ts';
import type { ReadRow } from './row.ts';

/** What a file holds, counted over the rows that could be read. */
export interface UciSummary {
  readonly format: 'csv' | 'arff';
  /** Data rows in the file, also those that could not be read. */
  readonly rows: number;
  readonly classCounts: Readonly<Record<UciClass, number>>;
  /** The columns that are there, in file order, in our spelling. */
  readonly columns: readonly string[];
  /** Feature cells; the class, the id and the extra columns do not count. */
  readonly cells: number;
  /** Feature cells without a value, as the file has them. */
  readonly missingCells: number;
  /** Feature cells that had a value and were set to missing as implausible. */
  readonly screenedCells: number;
  /** Cells with blanks or tabs around the value. */
  readonly trimmedCells: number;
  /** True when the file has no id column, so that rows are numbered from 0 in file order. */
  readonly idsAssigned: boolean;
}

export function summarise(file: {
  readonly format: 'csv' | 'arff';
  readonly slots: readonly Slot[];
  readonly rowCount: number;
  readonly read: readonly { readonly row: ReadRow; readonly fields: readonly string[] }[];
}): UciSummary {
  const { format, slots, rowCount, read } = file;
  const features = UCI_FEATURES.map(({ name }) => name).filter((name) => slots.includes(name));
  const count = (test: (row: ReadRow) => number) => read.reduce((sum, { row }) => sum + test(row), 0);
  const screenedCells = count((row) => row.screened.length);
  const without = count((row) => features.filter((name) => row.values[name] === null).length);
  return {
    format,
    rows: rowCount,
    classCounts: Object.fromEntries(
      UCI_CLASSES.map((label) => [label, count((row) => (row.class === label ? 1 : 0))]),
    ) as Record<UciClass, number>,
    columns: slots.filter((slot) => slot !== null),
    cells: read.length * features.length,
    missingCells: without - screenedCells,
    screenedCells,
    trimmedCells: read.reduce(
      (sum, { fields }) => sum + fields.filter((cell) => cell !== cell.trim()).length,
      0,
    ),
    idsAssigned: !slots.includes('id'),
  };
}
