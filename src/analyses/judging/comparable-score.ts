import type { Judging } from './judging.ts';

/** A score that two runs can be compared by, and how to get its value for each question. */
export interface ComparableScore {
  readonly name: string;
  readonly label: string;
  readonly trait: string | null;
  readonly better: 'higher' | 'lower' | null;
  /** Whether it lies between 0 and 1, so that a difference is in percentage points. */
  readonly isShare: boolean;
  /** Whether an answer scores 0 or 1; the value of a question is then the share of its answers that score 1. */
  readonly isBinary: boolean;
  /** Values by question; questions without one are not there. `other` is the run it is compared with. */
  values(report: Judging, other: Judging): ReadonlyMap<string, number>;
}
