import { z } from 'zod';
import { snakeCase, toFile } from '../core/codec.ts';
import type { EvaluationResult } from '../core/evaluation-result.ts';
import type { Ledger } from '../core/ledger.ts';
import type { Score } from '../core/score.ts';
import type { RowTable } from '../metrics/columns.ts';
import type { Scorecard, ScoringOptions } from '../metrics/score.ts';
import type { Warning } from '../metrics/warning.ts';
import type { ReportDocument, Section } from '../reports/document/document.ts';
import type { AboutRun } from '../runs/about-run.ts';
import type { Gate, GateFunction } from '../runs/conditions/expression.ts';
import type { GateVerdict } from '../runs/conditions/verdict.ts';
import type { ReportOptions } from '../runs/report-options.ts';
import type { AnalysisFields, AnalysisResults, RunResult, UnwarnedResult } from '../runs/run-result.ts';
import type { ScoreOptions } from '../statistics/score-options.ts';
import type { StoredFailures } from '../store/queries/stored-failures.ts';
import type { RunFile } from '../store/run-file.ts';
import type { ScoredRun } from './comparison/scored-run.ts';

/** Where sections stand in a report, from its top to its end. */
export const PLACES = [
  'board',
  'headline',
  'conditions',
  'stopping',
  'problems',
  'reference',
  'flow',
  'judging',
  'ledger',
  'confidence',
  'decisions',
  'groups',
  'people',
  'scores',
  'details',
] as const;
export type Place = (typeof PLACES)[number];

/** Sections of the report of a run, by the place where they stand; null where there is nothing to say. */
export type Sections = {
  readonly [P in Place]?: (
    run: RunResult,
    options: Pick<ReportOptions, 'isBrief' | 'verdicts'>,
  ) => Section | null | readonly (Section | null)[];
};

/**
 * Something that is computed from the rows of a run and shown to people. It has a folder of its own and a line in `registry.ts`; reports in every format, JSON, the stored report and the
 * page follow from that.
 */
export interface Analysis<Result = unknown> {
  /** Its key in reports: `detectableDifference`. */
  readonly id: string;
  /** What the runs answered with. Default: `labels`. */
  readonly appliesTo?: 'labels' | 'text' | 'both';
  /** `run`: computed from one run. `runs`: from the answers of several models to the same records, or of one that was asked repeatedly. */
  readonly of: 'run' | 'runs';
  /** Ids of analyses whose results it uses. Default: none. */
  readonly needs?: readonly string[];
  /** The only description of its result. */
  readonly schema: z.ZodType<NoInfer<Result>>;
  /**
   * What it can be asked for (`share` and `whole` in `options.ts` make them). They are the flags of its command; without one, flags of `krisis report` and options of `readRun`.
   * They are also keys of the config file and query strings of the viewer. Default: nothing.
   */
  readonly options?: z.ZodObject;
  /** Whether JSON reports have the result. Default: true. */
  readonly isInJson?: boolean;
  /** The keys that JSON reports have where there is a result. Default: its id in snake_case, which is null where there is none. */
  object?(result: Result): object;
  /** Functions that reference cases name, by name. Default: none. */
  readonly cases?: Readonly<Record<string, CaseFunction>>;
  /** Its numbers that conditions can name, by name. Default: none. */
  readonly gates?: Readonly<Record<string, AnalysisGate<Result>>>;
}

/** A function of the conformance command: takes the inputs and parameters of a reference case. */
// biome-ignore lint/suspicious/noExplicitAny: the signatures of the functions say what each takes
type CaseFunction = (inputs: Record<string, any>, params: Record<string, any>) => unknown;

/** A subcommand that shows the result of an analysis, with the flags of its options. Its line in the help is in `cli/commands.ts`. */
interface NamedCommand {
  readonly name: string;
  /** The end of its help. */
  readonly notes: string;
  /** Options that it sets itself. Default: none. */
  readonly sets?: Readonly<Record<string, unknown>>;
}

/** `krisis NAME RUN`, for an analysis of one run. */
export interface AnalysisCommand<Result> extends NamedCommand {
  /** The document in text, Markdown and HTML. */
  document(run: RunResult, result: Result): ReportDocument;
  /** The content of its JSON. */
  object(run: RunResult, result: Result): Readonly<Record<string, unknown>>;
  /** The error where a run has no result. */
  refuse(run: Pick<RunResult, 'status' | 'backendName' | 'judging'>): Error;
}

/** A number of an analysis that conditions can name. */
interface AnalysisGate<Result> extends GateFunction {
  /** The outcome of a condition. `analyse` gives the result with other options; `nGates` different conditions on this number were made. */
  check(
    gate: Gate,
    context: {
      readonly ledger: Ledger;
      readonly nGates: number;
      analyse(options: object): Result | null;
    },
  ): GateVerdict;
}

/** An analysis of one run. */
export interface RunAnalysis<Result = unknown, Input extends RunInput = LabelsInput, Options = unknown>
  extends Analysis<Result> {
  readonly of: 'run';
  /** A subcommand that shows it. Default: none. */
  readonly command?: AnalysisCommand<Result>;
  /** The field of `RunResult` that has its result. Default: it is under `analyses` alone. */
  readonly field?: keyof AnalysisFields;
  /** Counts rows while they are read, for what the columns do not have. Default: the columns suffice. */
  collect?(scoring: ScoringOptions, task: RunResult['task']): Collector;
  /** Null where the run has nothing to analyse. Pure: the same rows give the same result. */
  compute(input: Input, options?: Options): Result | null;
  /** Its sections in the report. Those in one place keep the order of the analyses. */
  readonly sections?: Sections;
  /** Scores that it adds to those of the rows, which `card` has. Default: none. */
  scores?(result: Result, card: Scorecard): readonly Score[];
  /** What a reader must know before quoting a number. Default: nothing. */
  warnings?(result: Result, run: UnwarnedResult): readonly Warning[];
}

/**
 * `krisis NAME RUN RUN...`, for an analysis of runs of one suite and model; a folder of runs will do. The analysis gets the option `leaveOut`, whether runs that do not fit are left out rather
 * than refused, as in a folder.
 */
interface RunsCommand<Result, Input> extends NamedCommand {
  /** The option that names the run with which the others are compared. Without it, the oldest is taken. */
  readonly reference: string;
  /** Reads what it needs of a run file. */
  read(path: string): Input;
  /** The command's exit code. */
  exitCode(result: Result): number;
}

/**
 * An analysis of several runs. An `Input` is what it reads of each: an `AskedRun`, which may also be one run with repeats, or more, as in a comparison. Its options may hold
 * what no flag says, such as the run with which the others are compared.
 */
export interface RunsAnalysis<Result = unknown, Input = AskedRun, Options = DrawOptions>
  extends Analysis<Result> {
  readonly of: 'runs';
  /** With fewer runs there is no result. Default: 1. */
  readonly atLeast?: number;
  /** Null where the runs have nothing to analyse together. */
  compute(runs: readonly Input[], options: Options): Result | null;
  /** Its section in the report of a run and of a comparison. Default: none. */
  section?(result: Result): Section | null;
  /** The document that shows it alone, in text, Markdown and HTML. Default: none. */
  document?(result: Result, options?: ReportOptions): ReportDocument;
  /** A subcommand that shows this document. Default: none. */
  readonly command?: RunsCommand<Result, Input>;
}

/** How records are drawn for bootstrap intervals. */
export type DrawOptions = Required<Pick<ScoreOptions, 'resamples' | 'seed' | 'level'>>;

/** Sees each row once. */
export interface Collector {
  add(row: EvaluationResult): void;
}

/** What every analysis of one run is computed from. */
export interface RunInput {
  readonly run: AboutRun & Pick<RunResult, 'status' | 'nRecords' | 'extras'>;
  /** For what columns and rows do not have, such as judgements. */
  readonly file: RunFile;
  /** Calls and rows that failed, and replies that could not be used, by cause. */
  readonly failures: StoredFailures;
  /** The result of an analysis that it needs. */
  need<Result>(analysis: Analysis<Result>): Result | null;
}

/** What an analysis of a run with labels is computed from. */
export interface LabelsInput extends RunInput {
  readonly table: RowTable;
  /** The scores of the rows. */
  readonly card: Scorecard;
  readonly scoring: ScoringOptions;
  /** Rows of a record; 1 where repeats were decided by vote. */
  readonly repeats: number;
  /** All rows, as they were answered; read again at each call. */
  readonly rows: RunResult['rows'];
  /** What the analysis's own collector saw. */
  readonly collected: Collector | null;
}

/** A run whose answers are read record by record. */
export interface AskedRun {
  /** The model. */
  readonly name: string;
  readonly repeats: number;
  readonly task: RunResult['task'];
  readonly primaryEndpoint: RunResult['primaryEndpoint'];
  /** The metadata key by which records are drawn together; undefined where each is alone. */
  readonly cluster: string | undefined;
  rows(): Iterable<EvaluationResult>;
  /** The rows in columns, with those of `cluster`: read once for all analyses. */
  scored(): ScoredRun;
}

/** Keeps the types of an analysis of one run. */
export function defineRunAnalysis<Result, Options = undefined, Input extends RunInput = LabelsInput>(
  analysis: Omit<RunAnalysis<Result, Input, Options>, 'of'>,
): RunAnalysis<Result, Input, Options> {
  return { of: 'run', ...analysis };
}

/** What stands for no result: of a list, the empty one. */
export function emptyResult(schema: z.ZodType): [] | null {
  return schema instanceof z.ZodArray ? [] : null;
}

/** Results as JSON has them. */
export function resultsObject(
  analyses: readonly Analysis[],
  results: AnalysisResults,
): Record<string, unknown> {
  return Object.fromEntries(
    analyses.flatMap(({ id, schema, object, isInJson = true }) => {
      if (!isInJson) return [];
      const result = results[id] ?? emptyResult(schema);
      if (object !== undefined) return result === null ? [] : Object.entries(object(result));
      return [[snakeCase(id), result === null ? null : toFile(schema, result as never)]];
    }),
  );
}
