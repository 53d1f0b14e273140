import type { SourceComparison } from '../analyses/confidence-sources/source-comparison.ts';
import type { ConfidenceSource } from '../analyses/confidence-sources/source-rows.ts';
import type { DetectableDifference } from '../analyses/detectable-difference/detectable-difference.ts';
import type { RunFailure, UnusableReplies } from '../analyses/failures/failures.ts';
import type { Flow } from '../analyses/flow/flow.ts';
import type { Judging } from '../analyses/judging/judging.ts';
import type { PanelReport } from '../analyses/review/panel.ts';
import type { RunReview } from '../analyses/review/run-review.ts';
import type { RunThreshold, ThresholdChoice } from '../analyses/threshold/run-threshold.ts';
import type { EvaluationResult } from '../core/evaluation-result.ts';
import type { Stratum } from '../core/patient-record.ts';
import type { Score } from '../core/score.ts';
import type { RunStatus } from '../core/states.ts';
import type { SubgroupGap } from '../metrics/behaviour/subgroups.ts';
import type { DecisionGroups, DecisionsAtPrevalence } from '../metrics/deferral/decision-groups.ts';
import type { Figures } from '../metrics/figures.ts';
import type { MetricName } from '../metrics/metric-names.ts';
import type { Scorecard } from '../metrics/score.ts';
import type { Warning } from '../metrics/warning.ts';
import type { Run, StopEarly } from '../store/run.ts';
import type { Row } from '../store/tables.ts';
import type { RunVerification } from '../store/verify-run.ts';
import type { Exclusions } from '../suites/exclusions.ts';
import type { SuiteDescription } from '../suites/suite.ts';
import type { Execution, Extras } from './execution.ts';
import type { publishedFigures } from './import/published-figures.ts';

/** The results of analyses by id; null where there was nothing to analyse. */
export type AnalysisResults = Readonly<Record<string, unknown>>;

/** What the run asked for. */
export interface RunTask extends Omit<NonNullable<Run['task']>, 'stratum'> {
  /** `labels`: an answer is one of `labels`. `text`: an answer is free text, and a judge reads it. */
  readonly kind: 'labels' | 'text';
  /** The metadata key that scores are broken down by, and what one of its values is called. */
  readonly stratum: Stratum;
}

/** What a rule that needs no model scores on a suite: a line to read the scores of a model against. Its scores are shares, with Wilson's interval. */
export type SuiteBaseline = NonNullable<Run['baselines']>[number];

/** Scores by name: names of built-in metrics complete, and any other may be there. */
type NamedScores = { readonly [Name in MetricName]?: Score } & Readonly<Record<string, Score>>;

/** Results of analyses that are fields of a result too; the analysis names its field. */
export interface AnalysisFields {
  /** Why calls and rows failed, by cause, the commonest first; empty where nothing failed. Causes of which every call was tried again with success are there too, with `nRows` and `nCalls` 0. */
  readonly failures: readonly RunFailure[];
  /** Why replies could not be used, by reason, the commonest first. Their rows count as wrong: `invalid` and `refused` in the ledger. */
  readonly unusableReplies: readonly UnusableReplies[];
  /** How the suite's records became rows, and how those ended; null for a run without rows, and for answers in text. */
  readonly flow: Flow | null;
  /** Right decisions by reason to defer and by class; null without deferral labels. */
  readonly decisions: DecisionGroups | null;
  /** Decision accuracy at the suite's own share of must-defer rows and at stated ones; empty without deferral labels. */
  readonly decisionsAtPrevalence: readonly DecisionsAtPrevalence[];
  /** What difference from another model this many records could have shown; null for a run without rows, and for answers in text. */
  readonly detectable: DetectableDifference | null;
  /** How the run stops early, and what its gates showed at the last look; null for a run that asks all records. */
  readonly stopEarly: StopEarly | null;
  /** What the baselines of the suite score on its records; empty where the run file does not say. */
  readonly baselines: readonly SuiteBaseline[];
  /** What the judge said of the answers; null for labels. */
  readonly judging: Judging | null;
  /** What people say of the answers or records, and what that says of the judge, the model and the suite; null for a run that was not reviewed. */
  readonly review: RunReview | null;
  /** The model against a panel of clinicians; null without decisions of people on its records, and for answers in text. */
  readonly panel: PanelReport | null;
}

/**
 * One model on one suite: its scores, its rows, and everything a report, a gate or a comparison needs. Read from a run file with `readRun`, or returned at the end of a run.
 * What a file of another framework does not say is null.
 */
export interface RunResult extends Omit<Scorecard, 'task' | 'scores' | 'subgroups'>, AnalysisFields {
  /** The run file; null for a result in memory. */
  readonly path: string | null;
  /** Which file was read, and in which state (`fileIdentity`): conditions are decided by what was read, not by what is there later. Null in memory. */
  readonly fileIdentity: string | null;
  /** Unique to the run; null where it has none. */
  readonly runId: string | null;
  /** The model, as it was asked for: `openai/gpt-5-mini`. */
  readonly backendName: string;
  /** The suite: `ckd/staging`. */
  readonly suiteName: string;
  /** Equal hashes mean equal records. Null for an imported run: its records are not known. */
  readonly suiteHash: string | null;
  /** The suite's description in its file form. */
  readonly suite: Readonly<Record<string, unknown>>;
  /** The description as the suite, or the caller, gave it; in its file form where the result was read from a file. */
  readonly suiteDescription:
    | SuiteDescription
    | Partial<SuiteDescription>
    | Readonly<Record<string, unknown>>
    | undefined;
  /** What was asked; null for an imported run that does not say. */
  readonly task: RunTask | null;
  /** How the question was put. */
  readonly arm: string | null;
  /** What the model was told besides the case; null where the run does not say. */
  readonly instructions: string | null;
  /** The score that was named in advance as the one that decides; null where there is none. */
  readonly primaryEndpoint: { readonly metric: string; readonly arm: string; readonly why: string } | null;
  /** `synthetic`, `public` or `protected`; null where the run does not say. */
  readonly sensitivity: string | null;
  /** How the run ended, or `running`. */
  readonly status: RunStatus;
  /** Why a run with the status `stopped` stopped. */
  readonly stoppedBecause: string | null;
  /** When the run began, in ISO 8601; null where it does not say. */
  readonly createdAt: string | null;
  /** The version that began the run; null where it does not say. */
  readonly krisisVersion: string | null;
  /** The suite's seed; that of the intervals is in `method`. */
  readonly seed: number | null;
  /** The parameters of the model's calls. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Where records were sent to; null where nothing left the machine. */
  readonly egress: Readonly<Record<string, unknown>> | null;
  /** Set for a run of another framework. */
  readonly imported: {
    readonly format: string;
    readonly source: string;
    readonly sha256: string;
    readonly hasRows: boolean;
  } | null;
  /** Set for answers that were recorded elsewhere. */
  readonly recorded: Readonly<Record<string, unknown>> | null;
  /** Set for one part of a run: which of how many. Its scores are of this part alone, and it can be neither compared nor gated. */
  readonly shard: { readonly index: number; readonly of: number } | null;
  /** How often every record was asked. */
  readonly repeats: number;
  /** True for a run that was continued here although nothing was left to ask: every answer is from an earlier start. False for a run that was read from its file. */
  readonly nothingAsked: boolean;
  /** Whether the numbers were computed from the rows, or are those of the report that the end of the run stored. */
  readonly numbersFrom: 'rows' | 'stored_report';
  /** Records of the run, each counted once however often it was asked. */
  readonly nRecords: number;
  /**
   * The scores by name: `result.scores.accuracy.value`. Traits of open questions are under `TRAIT.METRIC` (pooled), `TRAIT.METRIC.mean` (mean of questions) or `TRAIT`; a character
   * of a trait's name other than a letter, a digit, `_` or `-` is written `_`.
   */
  readonly scores: NamedScores;
  /** The same scores, in the order of a report. */
  readonly metricScores: readonly Score[];
  /** Groups of rows side by side, for each key that was asked for. */
  readonly groups: readonly SubgroupGap[];
  /** How the run went: calls, tokens, cost, time. */
  readonly execution: Execution;
  /** The same in the JSON keys that scripts know. */
  readonly extras: Extras;
  /** What charts show; null for a run without rows, and for answers in text. */
  readonly figures: Figures | null;
  /** What charts show of a run that was imported without rows; null for every other run. */
  readonly published: ReturnType<typeof publishedFigures>;
  /** The results of all analyses of the rows, by id. */
  readonly analyses: AnalysisResults;
  /** The result of an analysis with other options than the default ones: `analyse('threshold', { risk: 0.1 })`. Reads the rows of a file. */
  analyse(id: string, options: unknown): unknown;
  /** The lowest confidence at which to accept answers, chosen on one part of the patients and checked on the other; null for a run without rows, and for answers in text. */
  threshold(choice?: ThresholdChoice): RunThreshold | null;
  /** Where the confidences behind the scores come from. */
  readonly confidenceSource: ConfidenceSource;
  /** The sources of confidence of the run compared on the same answers; null where it has fewer than two. Reads the rows. */
  sources(): SourceComparison | null;
  /** Why the review beside the run file could not be read; null where it could, or where there is none. */
  readonly reviewProblem: string | null;
  /** Records that people found wrong, which the run is scored without; null where all records count. */
  readonly excluded: Exclusions | null;
  /** What a reader must know before quoting a number. */
  readonly warnings: readonly Warning[];
  /** The scores in the form that `scorecardText` and `scorecardObject` take. */
  readonly card: Scorecard;
  /** Whether the run file was changed since it was written; checked when this is asked for. Of a run of more than 50,000 entries only the seal is checked. Null in memory. */
  readonly verification: RunVerification | null;
  /** All rows at once; rows of a file are read when this is asked for. Prefer `rows()` for long runs. */
  readonly evaluationResults: readonly Row[];
  /** Rows in the order of the records, one by one; can be walked again. Prompts are the redacted templates. */
  rows(): Iterable<Row>;
  /** The same as far as scores go, without replies and prompts: reading them takes half the time. */
  scoredRows(): Iterable<EvaluationResult>;
  /** Closes the run file; nothing for a result in memory. */
  close(): void;
}

/** A result before its warnings are known. */
export type UnwarnedResult = Omit<RunResult, 'warnings' | 'evaluationResults' | 'verification' | 'sources'>;

/** The name under which `Benchmark.run` returns a result. */
export type BenchmarkResult = RunResult;
/** A row of a result, under the name of the library's `Benchmark`. */
export type BenchmarkRow = Row;
