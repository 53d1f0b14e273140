import type { GateVerdict } from '../results/index.ts';

/** What every format of a report can say besides the run itself. */
export interface ReportOptions {
  /** What became of the conditions that the run has to meet. */
  readonly verdicts?: readonly GateVerdict[] | undefined;
}
