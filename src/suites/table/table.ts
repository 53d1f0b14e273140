import type { FileProblem } from '../file-problem.ts';

/** A row of a file: one trimmed cell per column. */
export interface TableRow {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A file cut into cells, otherwise unchanged. Rows that do not fit the header are among the problems, not among the rows. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly TableRow[];
  readonly problems: readonly FileProblem[];
}
