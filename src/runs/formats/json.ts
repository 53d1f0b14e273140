import { askedObject } from '../../analyses/asked-analyses.ts';
import { type Comparison, comparisonObject } from '../../analyses/comparison/comparison.ts';
import { isJudged, type JudgedResult } from '../../analyses/judging/judged-result.ts';
import { analysesObject } from '../../analyses/registry.ts';
import { snakeKeys } from '../../core/codec.ts';
import { caseKind, decisionClass, decisionFacts } from '../../core/decision-class.ts';
import { schemaAddress, withSchema } from '../../core/json-schema.ts';
import { ledgerClass } from '../../core/ledger.ts';
import { scorecardObject } from '../../metrics/scorecard.ts';
import { sortedJson } from '../../reports/json/sorted-json.ts';
import type { AboutRun } from '../about-run.ts';
import type { Extras } from '../execution.ts';
import type { ReportOptions } from '../report-options.ts';
import type { BenchmarkResult, BenchmarkRow, RunResult } from '../run-result.ts';
import { verificationObject } from '../verification.ts';
import { answerObject, questionComparisonObject } from './question-json.ts';

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
  return `${sortedJson(withSchema('report', metricsObject(report, options)), 0)}\n`;
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
    $schema: schemaAddress('report'),
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
    sortedJson(withSchema('comparison', { ...questionComparisonObject(comparison), ...gates }), 0),
  labels: (comparison: Comparison, gates: object) => {
    const analyses = askedObject(comparison.analyses);
    return JSON.stringify(
      withSchema('comparison', { ...comparisonObject(comparison), ...analyses, ...gates }),
      null,
      2,
    );
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
  const { provenance, ...numbers } = isJudged(report) ? questionNumbers(report) : labelNumbers(report);
  return {
    schema_version: SCHEMA_VERSION,
    backend_name: report.backendName,
    suite: report.suite,
    status: report.status,
    run_file_verdict: report.verification?.verdict ?? null,
    warnings: report.warnings,
    gates: verdicts,
    confidence_source: report.confidenceSource === 'stated' ? undefined : report.confidenceSource,
    ...analysesObject(report),
    ...numbers,
    provenance: {
      ...runProvenance(report, report.extras),
      ...provenance,
      numbers_from: report.numbersFrom,
      verification: report.verification ? verificationObject(report.verification) : null,
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
    decision_curve: report.figures?.decisionCurve ?? null,
    provenance: { ...taskProvenance(report), method },
  };
}

function taskObject({ kind: _, ...task }: NonNullable<RunResult['task']>) {
  return snakeKeys(task);
}

function questionNumbers(report: JudgedResult) {
  const { judging, method } = report;
  const { level, resamples, seed, generator } = method;
  return {
    kind: 'questions',
    n_questions: report.nRecords,
    ledger: report.ledger,
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
