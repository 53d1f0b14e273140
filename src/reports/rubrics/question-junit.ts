import type { Score } from '../../core/index.ts';
import type { QuestionReport } from '../../results/index.ts';
import { type JunitCase, junitDocument } from '../junit-case.ts';
import type { JunitReportOptions } from '../junit-report.ts';
import { completeCase, failedRowsCase } from '../run-cases.ts';

/** A run of open questions for a CI server: whether it is complete, how many rows failed, the conditions it has to meet, and every score with its value. */
export function questionJunit(report: QuestionReport, options: JunitReportOptions = {}): string {
  const cases = [
    completeCase(report),
    failedRowsCase(report, options.tolerance ?? 0),
    ...(options.verdicts ?? []).map(
      ({ text, status, message }): JunitCase => ({
        name: `gate: ${text}`,
        // What could not be decided is not shown to hold, and must not be green.
        ...(status === 'pass' ? { out: message } : { failure: { type: status, message } }),
      }),
    ),
    ...report.metricTraits.flatMap(({ name, evaluationMode, metrics }) =>
      Object.entries(metrics).flatMap(([metric, { pooled, mean }]) => [
        scoreCase(`${name} (${evaluationMode}): ${metric}, pooled`, pooled),
        scoreCase(`${name} (${evaluationMode}): ${metric}, mean of questions`, mean),
      ]),
    ),
    ...report.otherTraits.flatMap(({ name, source, score }) =>
      score === null ? [] : [scoreCase(`${name} (${source})`, score)],
    ),
    ...report.abstention.map((score) => scoreCase(score.name, score)),
  ];
  return junitDocument({
    name: `${report.suiteName} ${report.backendName}`,
    group: `krisis.${report.suiteName.replaceAll('/', '.')}`,
    cases,
    properties: [
      ['suite', report.suiteName],
      ['suite_hash', report.suiteHash ?? ''],
      ['model', report.backendName],
      ['judge', report.judge.names.join(', ')],
      ['judge_calibrated', String(report.judge.calibration !== null)],
      ['krisis_version', report.krisisVersion ?? ''],
      ['simulated', String(report.extras.simulated)],
    ],
    seconds: report.extras.elapsed_seconds,
    timestamp: report.createdAt,
    out: report.warnings.map(({ code, message }) => `${code}: ${message}`).join('\n'),
  });
}

function scoreCase(name: string, score: Score): JunitCase {
  const { value, reason, nEvaluated: n, interval, intervalReason, bounds } = score;
  const facts: [string, unknown][] = [
    ['value', value],
    ['lower', interval?.lower],
    ['upper', interval?.upper],
    ['level', interval?.level],
    ['interval_method', interval?.method],
    ['interval_reason', intervalReason],
    ['bounds_lower', bounds?.lower],
    ['bounds_upper', bounds?.upper],
    ['n', n],
  ];
  const properties = facts.flatMap(([key, fact]) => (fact == null ? [] : [[key, String(fact)] as const]));
  if (value === null) return { name: `score: ${name}`, skipped: `no value: ${reason}`, properties };
  const range = interval === null ? '' : ` (${interval.lower} to ${interval.upper})`;
  return { name: `score: ${name}`, properties, out: `${name} = ${value}${range}, n = ${n}` };
}
