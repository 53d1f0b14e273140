import type { MetricScore } from '../metrics/index.ts';
import type { RunReport } from '../results/index.ts';
import { type JunitCase, junitDocument } from './junit-case.ts';
import type { ReportOptions } from './report-options.ts';
import { completeCase, failedRowsCase } from './run-cases.ts';

export interface JunitReportOptions extends ReportOptions {
  /** The share of rows that may have failed; 0 unless told. */
  readonly tolerance?: number | undefined;
}

/** A run for a CI server: whether it is complete, how many rows failed, the conditions it has to meet, and every metric with its value. */
export function junitReport(report: RunReport, options: JunitReportOptions = {}): string {
  const cases = [
    completeCase({ ...report, ledger: report.card.ledger }),
    failedRowsCase(report.card, options.tolerance ?? 0),
    ...(options.verdicts ?? []).map(
      ({ text, status, message }): JunitCase => ({
        name: `gate: ${text}`,
        // What could not be decided is not shown to hold, and must not be green.
        ...(status === 'pass' ? { out: message } : { failure: { type: status, message } }),
      }),
    ),
    ...report.card.scores.map(metricCase),
  ];
  const about: [string, string][] = [
    ['suite', report.suiteName],
    ['suite_hash', report.suiteHash ?? ''],
    ['model', report.backendName],
    ['arm', report.arm ?? ''],
    ['krisis_version', report.krisisVersion ?? ''],
    ['simulated', String(report.extras.simulated)],
  ];
  return junitDocument({
    name: `${report.suiteName} ${report.backendName}`,
    group: `krisis.${report.suiteName.replaceAll('/', '.')}`,
    cases,
    properties: about,
    seconds: report.extras.elapsed_seconds,
    timestamp: report.createdAt,
    out: report.warnings.map(({ code, message }) => `${code}: ${message}`).join('\n'),
  });
}

function metricCase(score: MetricScore): JunitCase {
  const { name, value, reason, interval, intervalReason, bounds, nEvaluated, nAbstained } = score;
  const facts: [string, unknown][] = [
    ['value', value],
    ['lower', interval?.lower],
    ['upper', interval?.upper],
    ['level', interval?.level],
    ['interval_method', interval?.method],
    ['interval_reason', intervalReason],
    ['bounds_lower', bounds?.lower],
    ['bounds_upper', bounds?.upper],
    ['n_evaluated', nEvaluated],
    ['n_abstained', nAbstained],
  ];
  const properties = facts.flatMap(([key, fact]) => (fact == null ? [] : [[key, String(fact)] as const]));
  if (value === null) return { name: `metric: ${name}`, skipped: `no value: ${reason}`, properties };
  const range = interval === null ? '' : ` (${interval.lower} to ${interval.upper})`;
  return { name: `metric: ${name}`, properties, out: `${name} = ${value}${range}, n = ${nEvaluated}` };
}
