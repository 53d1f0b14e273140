import type { GateVerdict } from './conditions/verdict.ts';
import type { RunResult } from './run-result.ts';

/** What a format makes: text, in pieces where it is long; bytes; or files by their paths below a folder. */
export type ReportContent = FileContent | ReportFiles;

/** What one file of a report holds. */
export type FileContent = string | Iterable<string> | Uint8Array;

/** The files of a report that is written to a folder. */
export interface ReportFiles {
  readonly files: Readonly<Record<string, FileContent>>;
}

/** What a report can be asked for; each format uses what applies to it. */
export interface ReportOptions {
  /** What became of the conditions that the runs have to meet. Default: none. */
  readonly verdicts?: readonly GateVerdict[] | undefined;
  /** Only the numbers and what must be known to read them: no evidence, execution or provenance. Default: false. */
  readonly isBrief?: boolean | undefined;
  /** The runs that were compared, in the order of the comparison's models, to draw their charts and show the baselines of their suite. Default: neither. */
  readonly reports?:
    | readonly (Pick<RunResult, 'figures'> & Partial<Pick<RunResult, 'baselines' | 'suite'>>)[]
    | undefined;
  /** Text: the widest that a line may be, in columns of a terminal. Default: 80. */
  readonly width?: number | undefined;
  /** JSON: whether the rows are under `evaluation_results`. Default: true. */
  readonly includeResults?: boolean | undefined;
  /** JUnit: the share of rows that may have failed. Default: 0. */
  readonly tolerance?: number | undefined;
  /** SVG and PNG: the one figure to draw, by its name. Default: all, as files of a folder. */
  readonly figure?: string | undefined;
}
