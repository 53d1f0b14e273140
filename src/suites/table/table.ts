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

const MAX_KEPT = 1000;

/** The problems of a file: the first 1,000, and how many there are. A file in which every row is wrong must not fill the memory. */
interface ProblemList {
  readonly kept: readonly FileProblem[];
  readonly n: number;
  readonly add: (problem: FileProblem) => void;
}

/** A list to which problems are added as they are found. */
export function problemList(): ProblemList {
  const kept: FileProblem[] = [];
  let n = 0;
  return {
    kept,
    get n() {
      return n;
    },
    add: (problem) => {
      if (kept.length < MAX_KEPT) kept.push(problem);
      n += 1;
    },
  };
}
