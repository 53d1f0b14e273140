import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';
import { type BenchmarkResult, type RunReport, reportOfResult } from '../results/index.ts';
import { methodText } from './method-text.ts';
import { plain } from './plain-text.ts';
import type { ReportOptions } from './report-options.ts';
import { scorecardText } from './scorecard-text.ts';

/**
 * A result as text: suite, ledger, every metric with interval and n, warnings, and how the run went. Without colours, so that the same result is the same text everywhere.
 *
 * @example
 * ```ts
 * const suite = new CkdSuite({ task: 'detection', nRecords: 20, testSize: 1 });
 * const result = await new Benchmark(suite, await createBackend('baseline/guideline', suite, { seed: 42 })).run();
 * formatReport(result).split('\n')[0] // => 'ckd/detection, baseline/guideline: 20 rows'
 * ```
 */
export function formatReport(result: BenchmarkResult): string {
  return stripVTControlCharacters(textReport(reportOfResult(result)));
}

/** A run as text, with colours where the terminal has some. */
export function textReport(report: RunReport, { verdicts = [] }: ReportOptions = {}): string {
  const scores = scorecardText(report.card, {
    source: `${report.suiteName}, ${report.backendName}`,
    positiveLabel: report.task?.positiveLabel ?? undefined,
    warnings: report.warnings,
    method: methodText(report),
  });
  return [
    scores,
    ...section(
      'Conditions',
      verdicts.map(({ text, status, message }) => [status, message === '' ? text : `${text}: ${message}`]),
    ),
    ...section('Run', runFacts(report)),
    ...section('Execution', executionFacts(report)),
  ].join('\n');
}

function runFacts(report: RunReport): [string, unknown][] {
  const { task, suite, primaryEndpoint, imported } = report;
  const facts: [string, unknown][] = [
    ['suite', report.suiteName],
    ['domain', suite.domain ?? null],
    ['suite_hash', report.suiteHash],
    ['n_total_eval_records', suite.n_total_eval_records ?? null],
    ['data', report.sensitivity],
    ['task', task && `${task.id}; labels ${task.labels.join(', ')}`],
    ['arm', report.arm],
    [
      'primary_endpoint',
      primaryEndpoint && `${primaryEndpoint.metric}, arm ${primaryEndpoint.arm} (${primaryEndpoint.why})`,
    ],
    ['model', report.backendName],
    ['parameters', Object.keys(report.parameters).length === 0 ? null : JSON.stringify(report.parameters)],
    ['status', report.status],
    ['created_at', report.createdAt],
    ['krisis_version', report.krisisVersion],
    ['imported_from', imported && `${imported.source} (${imported.format}, SHA-256 ${imported.sha256})`],
  ];
  return facts.filter(([, value]) => value !== null);
}

/** Every field; prompt templates as their number. */
function executionFacts({ extras }: RunReport): [string, unknown][] {
  return Object.entries(extras).map(([name, value]) => [name, shown(name, value)]);
}

function shown(name: string, value: unknown): string {
  if (value === null) return '-';
  if (Array.isArray(value))
    return name === 'prompt_templates' ? String(value.length) : value.map(String).join(', ') || '-';
  if (typeof value === 'number') return String(Math.round(value * 1000) / 1000);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function section(title: string, facts: readonly (readonly [string, unknown])[]): string[] {
  if (facts.length === 0) return [];
  const width = Math.max(...facts.map(([name]) => name.length));
  return [
    pc.bold(title),
    ...facts.map(([name, value]) => `  ${plain(name).padEnd(width)}  ${plain(String(value))}`),
    '',
  ];
}
