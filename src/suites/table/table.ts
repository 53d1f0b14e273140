import type { DelimitedRow } from '../../core/delimited/rows.ts';
import type { FileProblem } from '../file-problem.ts';

/** A table with more columns is not read: no model could be shown them, and some checks compare columns. */
export const MAX_COLUMNS = 10_000;

/** A file cut into cells, otherwise unchanged. Its rows are read each time they are asked for, and never all in memory. */
export interface Table {
  readonly header: readonly string[];
  /** The rows that fit the header. `onProblem` is called for everything else that is found while they are read. */
  rows(onProblem?: (problem: FileProblem) => void): Iterable<DelimitedRow>;
}

const MAX_KEPT = 1000;

/** The problems of a file: the first 1,000, and how many there are. A file in which every row is wrong must not fill the memory. */
export function problemList() {
  const kept: FileProblem[] = [];
  let n = 0;
  return {
    kept,
    get n() {
      return n;
    },
    add: (problem: FileProblem) => {
      if (kept.length < MAX_KEPT) kept.push(problem);
      n += 1;
    },
  };
}
