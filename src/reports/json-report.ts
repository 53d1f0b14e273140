import { scorecardObject } from '../metrics/index.ts';
import { type BenchmarkResult, type RunReport, reportOfResult } from '../results/index.ts';
import type { ReportOptions } from './report-options.ts';
import { rowObject } from './row-object.ts';
import { sortedJson } from './sorted-json.ts';

export interface JsonReportOptions extends ReportOptions {
  /** With the rows, under `evaluation_results`; yes unless told. */
  readonly includeResults?: boolean | undefined;
}

const SCHEMA_VERSION = '1.0';

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
  return [...jsonReportChunks(reportOfResult(result), options)].join('');
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
export function formatMetricsJsonReport(result: BenchmarkResult): string {
  return metricsJsonReport(reportOfResult(result));
}

export function metricsJsonReport(report: RunReport, { verdicts }: ReportOptions = {}): string {
  return `${sortedJson({ ...common(report, verdicts), execution: report.extras }, 0)}\n`;
}

/** The full JSON piece by piece: rows are read and written one at a time, however many there are. */
export function* jsonReportChunks(report: RunReport, options: JsonReportOptions = {}): Generator<string> {
  const { includeResults = true, verdicts } = options;
  const hasRows = report.imported?.hasRows !== false;
  const whole: Readonly<Record<string, unknown>> = {
    ...common(report, verdicts),
    extras: report.extras,
    n_evaluation_results: hasRows ? report.card.n : 0,
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

const ROWS = 'evaluation_results';

function* rowChunks(report: RunReport): Generator<string> {
  let before = '[';
  for (const row of report.rows()) {
    yield `${before}\n    ${sortedJson(rowObject(row))}`;
    before = ',';
  }
  yield before === '[' ? '[]' : '\n  ]';
}

function common(report: RunReport, verdicts: ReportOptions['verdicts']) {
  const { ledger, metrics, subgroups, method } = scorecardObject(report.card);
  return {
    schema_version: SCHEMA_VERSION,
    backend_name: report.backendName,
    suite: report.suite,
    status: report.status,
    ledger,
    metrics: named(metrics as Readonly<Record<string, object>>),
    subgroups,
    warnings: report.warnings,
    gates: verdicts,
    provenance: provenance(report, method),
  };
}

/** Each metric says its name, for whoever takes it out of the object. */
function named(metrics: Readonly<Record<string, object>>) {
  return Object.fromEntries(Object.entries(metrics).map(([name, score]) => [name, { name, ...score }]));
}

function provenance(report: RunReport, method: unknown) {
  const { task, imported } = report;
  return {
    suite_name: report.suiteName,
    suite_hash: report.suiteHash,
    krisis_version: report.krisisVersion,
    created_at: report.createdAt,
    seed: report.seed,
    parameters: report.parameters,
    simulated: report.extras.simulated,
    sensitivity: report.sensitivity,
    egress: report.egress,
    task: task && {
      id: task.id,
      labels: task.labels,
      positive_label: task.positiveLabel,
      ordered: task.ordered,
      pack: task.pack,
      stratum: task.stratum,
    },
    arm: report.arm,
    instructions: report.instructions,
    primary_endpoint: report.primaryEndpoint,
    repeats: report.repeats,
    stopped_because: report.stoppedBecause,
    imported: imported && {
      format: imported.format,
      source: imported.source,
      sha256: imported.sha256,
      has_rows: imported.hasRows,
    },
    method,
  };
}
