import type { z } from 'zod';
import type { EvaluationResult } from '../core/index.ts';
import type { RowTable, Scorecard, ScoringOptions } from '../metrics/index.ts';
import type { Section } from '../reports/document/document.ts';
import type { AboutRun } from '../runs/about-run.ts';
import type { RunResult } from '../runs/run-result.ts';

/**
 * Something that is computed from the rows of a run and shown to people. It has a folder of its own and a line in `registry.ts`; reports in every format, JSON, the stored report and the
 * page follow from that.
 */
export interface Analysis<Result = unknown> {
  /** Its key in reports: `detectableDifference`. */
  readonly id: string;
  /** `run`: computed from one run. `runs`: from the answers of several models to the same records, or of one that was asked repeatedly. */
  readonly of: 'run' | 'runs';
  /** Ids of analyses whose results it uses. Default: none. */
  readonly needs?: readonly string[];
  /** The only description of its result. */
  readonly schema: z.ZodType<Result>;
  /** Whether JSON reports have the result, under its id in snake_case. Default: true. */
  readonly isInJson?: boolean;
  /** Functions that reference cases name, by name. Default: none. */
  readonly cases?: Readonly<Record<string, CaseFunction>>;
  /** Where the sections stand: after the headline, among the charts, or after them. Default: `last`. */
  readonly place?: 'first' | 'middle' | 'last';
}

/** A function of the conformance command: takes the inputs and parameters of a reference case. */
// biome-ignore lint/suspicious/noExplicitAny: the signatures of the functions say what each takes
type CaseFunction = (inputs: Record<string, any>, params: Record<string, any>) => unknown;

/** An analysis of one run with labels. */
export interface RunAnalysis<Result = unknown, Options = unknown> extends Analysis<Result> {
  readonly of: 'run';
  /** Counts rows while they are read, for what the columns do not have. Default: the columns suffice. */
  collect?(scoring: ScoringOptions, task: RunResult['task']): Collector;
  /** Null where the run has nothing to analyse. Pure: the same rows give the same result. */
  compute(input: RunInput, options?: Options): Result | null;
  section?(run: RunResult): Section | null;
}

/** An analysis of several runs, or of the repeats of one. */
export interface RunsAnalysis<Result = unknown> extends Analysis<Result> {
  readonly of: 'runs';
  /** Null where the runs have nothing to analyse together. */
  compute(runs: readonly AskedRun[]): Result | null;
  section?(result: Result): Section | null;
}

/** Sees each row once. */
export interface Collector {
  add(row: EvaluationResult): void;
}

/** What an analysis of one run is computed from. */
export interface RunInput {
  readonly run: AboutRun & Pick<RunResult, 'status' | 'nRecords'>;
  readonly table: RowTable;
  readonly card: Scorecard;
  readonly scoring: ScoringOptions;
  /** Rows of a record; 1 where repeats were decided by vote. */
  readonly repeats: number;
  /** Share of must-defer rows at which to state decisions. */
  readonly prevalence?: number | undefined;
  /** What the analysis's own collector saw. */
  readonly collected: Collector | null;
  /** The result of an analysis that it needs. */
  need<Result>(analysis: Analysis<Result>): Result | null;
}

/** A run whose answers are read record by record. */
export interface AskedRun {
  /** The model. */
  readonly name: string;
  readonly repeats: number;
  readonly actLabels: NonNullable<RunResult['task']>['actLabels'];
  rows(): Iterable<EvaluationResult>;
}

/** Keeps the types of an analysis of one run. */
export function defineRunAnalysis<Result, Options = undefined>(
  analysis: Omit<RunAnalysis<Result, Options>, 'of'>,
): RunAnalysis<Result, Options> {
  return { of: 'run', ...analysis };
}
