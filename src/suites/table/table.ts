import type { DelimitedRow } from '../../core/delimited/index.ts';
import type { FileProblem } from '../file-problem.ts';

/** A table with more columns is not read: no model could be shown them, and some checks compare columns. */
export const MAX_COLUMNS = 10_000;

/** A row of a file: one trimmed cell per column. */
export type TableRow = DelimitedRow;

/** A file cut into cells, otherwise unchanged. Its rows are read each time they are asked for, and never all in memory. */
export interface Table {
  readonly header: readonly string[];
  /** The rows that fit the header. `onProblem` is called for everything else that is found while they are read. */
  rows(onProblem?: (problem: FileProblem) => void): Iterable<TableRow>;
}
