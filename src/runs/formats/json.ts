import { type Comparison, comparisonObject } from '../../analyses/comparison/comparison.ts';
import { sourceComparisonSchema } from '../../analyses/confidence-sources/source-comparison.ts';
import { type StopEarly, stopEarlySchema } from '../../analyses/early-stop/stop-early.ts';
import { runFailureSchema, unusableRepliesSchema } from '../../analyses/failures/failures.ts';
import { claimReportSchema } from '../../analyses/judging/claims.ts';
import { isJudged, type JudgedResult } from '../../analyses/judging/judged-result.ts';
import { jurySchema } from '../../analyses/judging/jury.ts';
import { listLevelTraitSchema } from '../../analyses/judging/list-level.ts';
import { analysesObject, runsAnalysesObject } from '../../analyses/registry.ts';
import { notCorrectedText } from '../../analyses/review/corrected-score.ts';
import { panelReportSchema } from '../../analyses/review/panel.ts';
import { type RunReview, runReviewSchema } from '../../analyses/review/run-review.ts';
import { snakeKeys, toFile } from '../../core/codec.ts';
import { caseKind, decisionClass, decisionFacts } from '../../core/decision-class.ts';
import { ledgerClass } from '../../core/ledger.ts';
import { scoreSchema } from '../../core/score.ts';
import { scorecardObject } from '../../metrics/scorecard.ts';
import { sortedJson } from '../../reports/json/sorted-json.ts';
import type { AboutRun } from '../about-run.ts';
import type { Extras } from '../execution.ts';
import type { ReportOptions } from '../report-options.ts';
import type { BenchmarkResult, BenchmarkRow, RunResult } from '../run-result.ts';
import { verificationObject } from '../verification.ts';
import {
  answerObject,
  itemScoresObject,
  judgeObject,
  questionComparisonObject,
  traitObjects,
} from './question-json.ts';

/** What a JSON report contains. */
export type JsonReportOptions = Pick<ReportOptions, 'includeResults' | 'verdicts'>;

const SCHEMA_VERSION = '1.0';
const ROWS = 'evaluation_results';

/**
 * A result as one JSON object: suite, metrics, how the run went (`extras`), ledger, warnings, provenance, and every row with its redacted prompt. Strict JSON with sorted keys.
 *
 * @example
 * ```ts
 * const suite = new CkdSuite({ task: 'detection', nRecords: 20, testSize: 1 });
 * const result = await new Benchmark(suite, await createBackend('baseline/guideline', suite, { seed: 42 })).run();
 * const report = JSON.parse(formatJsonReport(result));
 * [report.backend_name, report.metrics.accuracy.name, report.evaluation_results.length] // => ['baseline/guideline', 'accuracy', 20]
 * 'evaluation_results' in JSON.parse(formatJsonReport(result, { includeResults: false })) // => false
 * ```
 */
export function formatJsonReport(result: BenchmarkResult, options: JsonReportOptions = {}): string {
  return [...jsonChunks(result, options)].join('');
}

/**
 * The numbers of a result alone, for plots and tables: no rows, and `execution` in place of `extras`.
 *
 * @example
 * ```ts
 * const suite = new CkdSuite({ task: 'detection', nRecords: 20, testSize: 1 });
 * const result = await new Benchmark(suite, await createBackend('baseline/guideline', suite, { seed: 42 })).run();
 * JSON.parse(formatMetricsJsonReport(result)).execution.n_input_records // => 20
 * ```
 */
export function formatMetricsJsonReport(report: RunResult, options: JsonReportOptions = {}): string {
  return `${sortedJson(metricsObject(report, options), 0)}\n`;
}

/** The numbers of a run without its rows, in file form. */
export function metricsObject(
  report: RunResult,
  { verdicts }: JsonReportOptions = {},
): Record<string, unknown> {
  const { list_level: lists, ...rest } = common(report, verdicts) as Record<string, unknown>;
  // Lists hold pieces of the answers.
  const counted = Array.isArray(lists) && lists.map(({ answers: _, ...trait }) => trait);
  return { ...rest, ...(counted && { list_level: counted }), execution: report.extras };
}

/** The full JSON piece by piece: rows are read and written one at a time, however many there are. */
export function* jsonChunks(report: RunResult, options: JsonReportOptions = {}): Generator<string> {
  const { includeResults = true, verdicts } = options;
  const whole: Readonly<Record<string, unknown>> = {
    ...common(report, verdicts),
    extras: report.extras,
    n_evaluation_results: nRows(report),
    ...(includeResults && { [ROWS]: null }),
  };
  const keys = Object.keys(whole).filter((key) => whole[key] !== undefined);
  let before = '{';
  for (const key of keys.sort()) {
    yield `${before}\n  ${JSON.stringify(key)}: `;
    before = ',';
    if (key === ROWS) yield* rowChunks(report);
    else yield sortedJson(whole[key], 1);
  }
  yield '\n}\n';
}

/** A comparison as strict JSON, with every flip; conditions under `gates`. */
export function comparisonJson(comparison: Comparison, { verdicts = [] }: JsonReportOptions = {}): string {
  const gates = verdicts.length === 0 ? {} : { gates: verdicts };
  return `${COMPARISON_TEXTS[comparison.kind](comparison, gates)}\n`;
}

const COMPARISON_TEXTS = {
  text: (comparison: Comparison, gates: object) =>
    sortedJson({ ...questionComparisonObject(comparison), ...gates }, 0),
  labels: (comparison: Comparison, gates: object) => {
    const analyses = runsAnalysesObject(comparison.analyses);
    return JSON.stringify({ ...comparisonObject(comparison), ...analyses, ...gates }, null, 2);
  },
};

function* rowChunks(report: RunResult): Generator<string> {
  const rows = isJudged(report)
    ? report.judging.answers.values().map(answerObject)
    : Iterator.from(report.rows()).map(rowWriter(report));
  let before = '[';
  for (const row of rows) {
    yield `${before}\n    ${sortedJson(row)}`;
    before = ',';
  }
  yield before === '[' ? '[]' : '\n  ]';
}

function nRows(report: RunResult): number {
  if (isJudged(report)) return report.judging.answers.length;
  return report.imported?.hasRows === false ? 0 : report.card.n;
}

function common(report: RunResult, verdicts: ReportOptions['verdicts']) {
  const sources = report.sources();
  const { provenance, ...numbers } = isJudged(report) ? questionNumbers(report) : labelNumbers(report);
  return {
    schema_version: SCHEMA_VERSION,
    backend_name: report.backendName,
    suite: report.suite,
    status: report.status,
    run_file_verdict: report.verification?.verdict ?? null,
    ...(report.stopEarly && { stop_early: stopEarlyObject(report.stopEarly) }),
    warnings: report.warnings,
    ...failureObjects(report),
    gates: verdicts,
    review: report.review === null ? undefined : reviewObject(report.review),
    confidence_source: report.confidenceSource === 'stated' ? undefined : report.confidenceSource,
    confidence_sources: sources ? toFile(sourceComparisonSchema, sources) : undefined,
    panel: report.panel === null ? undefined : toFile(panelReportSchema, report.panel),
    ...numbers,
    provenance: {
      ...runProvenance(report, report.extras),
      ...provenance,
      numbers_from: report.numbersFrom,
      verification: report.verification ? verificationObject(report.verification) : null,
    },
  };
}

/** Why calls and rows failed, and why replies could not be used, in file form. */
export function failureObjects({
  failures,
  unusableReplies,
}: Pick<RunResult, 'failures' | 'unusableReplies'>) {
  return {
    failures: failures.map((failure) => toFile(runFailureSchema, failure)),
    unusable_replies: unusableReplies.map((replies) => toFile(unusableRepliesSchema, replies)),
  };
}

/** How a run stops early, in file form. */
export function stopEarlyObject(stopEarly: StopEarly) {
  const { verdicts, ...terms } = toFile(stopEarlySchema, stopEarly);
  return { ...terms, bounds: 'anytime-valid', verdicts };
}

/** What people say of a run, in file form. */
function reviewObject(review: RunReview) {
  const { items, ...rest } = toFile(runReviewSchema, review);
  const corrected = review.items?.corrected ?? [];
  return {
    ...rest,
    items: items && {
      ...items,
      corrected: items.corrected.map((score, i) => ({
        ...score,
        not_corrected: score.reason === null ? null : notCorrectedText(corrected[i]!),
      })),
    },
  };
}

function runProvenance(run: AboutRun, { simulated }: Pick<Extras, 'simulated'>) {
  return {
    suite_name: run.suiteName,
    suite_hash: run.suiteHash,
    krisis_version: run.krisisVersion,
    created_at: run.createdAt,
    seed: run.seed,
    parameters: run.parameters,
    simulated,
    sensitivity: run.sensitivity,
    egress: run.egress && snakeKeys(run.egress),
    repeats: run.repeats,
    stopped_because: run.stoppedBecause,
  };
}

function taskProvenance({ task, arm, instructions, primaryEndpoint, imported }: AboutRun) {
  return {
    task: task && taskObject(task),
    arm,
    instructions,
    primary_endpoint: primaryEndpoint,
    imported: imported && snakeKeys(imported),
  };
}

function labelNumbers(report: RunResult) {
  const { ledger, metrics, subgroups, method } = scorecardObject(report.card);
  return {
    ledger,
    metrics: Object.fromEntries(
      // Each metric has its name, for programs that take it out of the object.
      Object.entries(metrics as Readonly<Record<string, object>>).map(([name, score]) => [
        name,
        { name, ...score },
      ]),
    ),
    subgroups,
    ...analysesObject(report.analyses),
    decision_curve: report.figures?.decisionCurve ?? null,
    baselines: report.baselines,
    provenance: { ...taskProvenance(report), method },
  };
}

function taskObject({ kind: _, ...task }: NonNullable<RunResult['task']>) {
  return snakeKeys(task);
}

const abstentionSchema = scoreSchema.omit({
  family: true,
  reads: true,
  breakdown: true,
  scoredOf: true,
  facts: true,
});

function questionNumbers(report: JudgedResult) {
  const { judging, method } = report;
  const { level, resamples, seed, generator } = method;
  return {
    kind: 'questions',
    n_questions: report.nRecords,
    ledger: report.ledger,
    judge: judgeObject(judging.judge),
    jury: judging.jury && toFile(jurySchema, judging.jury),
    item_scores: itemScoresObject(judging.itemScores),
    list_level: judging.listLevel.map((trait) => toFile(listLevelTraitSchema, trait)),
    claims: judging.claims && toFile(claimReportSchema, judging.claims),
    traits: traitObjects(judging),
    metrics: Object.fromEntries(
      judging.abstention.map((score) => [score.name, toFile(abstentionSchema, score)]),
    ),
    provenance: {
      judge_egress: judging.judgeEgress && snakeKeys(judging.judgeEgress),
      recorded: report.recorded,
      method: { level, resamples, seed, generator, unit: 'question', scored_pass: judging.scoredPass },
    },
  };
}

/** How the rows of a run are written: what each case calls for and how its decision turned out depend on the run's rule. `krisis score` reads them back. */
export function rowWriter({ card, task }: Pick<RunResult, 'card' | 'task'>) {
  const actLabels = task?.actLabels ?? undefined;
  return ({ callId: _, attempt, ...row }: BenchmarkRow) => {
    const facts = decisionFacts(row, actLabels);
    return {
      ...snakeKeys(row),
      // Only rows that were asked again have attempts.
      ...(attempt > 0 && { attempt }),
      ledger_class: ledgerClass(row),
      case_kind: caseKind(facts),
      decision_class: decisionClass(facts, card.emergencyRule),
    };
  };
}
