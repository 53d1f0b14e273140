import type { FileProblem } from '../file-problem.ts';

const MAX_KEPT = 1000;

/** The problems of a file: the first 1,000, and how many there are. A file in which every row is wrong must not fill the memory. */
export interface ProblemList {
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
