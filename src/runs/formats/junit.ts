import { adviceText, forGood } from '../../analyses/failures/section.ts';
import { isJudged, type JudgedResult } from '../../analyses/judging/judged-result.ts';
import type { Score } from '../../core/score.ts';
import { xmlText } from '../../reports/xml-text.ts';
import type { ReportOptions } from '../report-options.ts';
import type { RunResult } from '../run-result.ts';
import { verificationAlert } from '../unproven-file.ts';

/** One test of a JUnit file. */
interface JunitCase {
  readonly name: string;
  readonly failure?: { readonly type: string; readonly message: string };
  readonly skipped?: string;
  readonly properties?: Attributes;
  readonly out?: string;
  readonly err?: string;
}

/** Null and undefined are left out. */
type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A run for a CI server: whether it is complete, how many rows failed, the conditions it has to meet, and every score with its value. */
export function renderJunit(report: RunResult, options: ReportOptions = {}): string {
  const { suiteName, backendName, extras, createdAt: timestamp } = report;
  const cases = listCases(report, options);
  const counts = {
    tests: cases.length,
    failures: cases.filter(({ failure }) => failure !== undefined).length,
    errors: 0,
    skipped: cases.filter(({ skipped }) => skipped !== undefined).length,
    time: extras.elapsed_seconds?.toFixed(3),
  };
  const group = `krisis.${suiteName.replaceAll('/', '.')}`;
  const suite = element('testsuite', { name: `${suiteName} ${backendName}`, ...counts, timestamp }, [
    ...propertyLines(listProperties(report)),
    ...cases.flatMap((one) => caseLines(one, group)),
    ...outLines(report.warnings.map(({ code, message }) => `${code}: ${message}`).join('\n')),
  ]);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    ...element('testsuites', { name: 'krisis', ...counts }, suite),
    '',
  ].join('\n');
}

function listProperties(report: RunResult): Attributes {
  return {
    suite: report.suiteName,
    suite_hash: report.suiteHash ?? '',
    model: report.backendName,
    ...(isJudged(report)
      ? {
          judge: report.judging.judge.names.join(', '),
          judge_calibrated: report.judging.judge.status === 'calibrated',
          judge_status: report.judging.judge.status,
        }
      : { arm: report.arm ?? '' }),
    krisis_version: report.krisisVersion ?? '',
    simulated: report.extras.simulated,
    ...(report.stopEarly && {
      stop_early_alpha_side: report.stopEarly.alphaSide,
      stop_early_claim: report.stopEarly.claim,
      stop_early_order_sha256: report.stopEarly.orderSha256,
    }),
  };
}

function listCases(report: RunResult, { tolerance = 0, verdicts = [] }: ReportOptions): JunitCase[] {
  return [
    ...verifiedCases(report),
    completeCase(report),
    failedRowsCase(report, tolerance),
    ...verdicts.map(
      ({ text, status, message, reason, warning }): JunitCase => ({
        name: `gate: ${text}`,
        properties: { reason },
        // What could not be decided is not shown to hold, and must not be green.
        ...(status === 'pass'
          ? { out: warning === undefined ? message : `${message}. Warning: ${warning}` }
          : { failure: { type: status, message } }),
      }),
    ),
    ...(isJudged(report) ? questionCases(report) : report.card.scores.map(metricCase)),
  ];
}

/** Numbers of a file that is not verified must not be green. */
function verifiedCases(report: RunResult): JunitCase[] {
  const message = verificationAlert(report);
  if (message === null) return [];
  return [{ name: 'the run file is verified', failure: { type: report.verification!.verdict, message } }];
}

function completeCase(report: RunResult): JunitCase {
  const name = 'the run is complete';
  const { status, stoppedBecause } = report;
  if (status === 'complete') return { name };
  if (status === 'stopped_early')
    return {
      name,
      out: `stopped early: ${report.ledger.not_run} of ${report.ledger.n} cases were not asked`,
    };
  const why = stoppedBecause === null ? '' : ` (${stoppedBecause})`;
  const { n, not_run: notRun } = report.ledger;
  const message = `the run is ${status}${why}: ${notRun} of ${n} cases were not asked`;
  return { name, failure: { type: status, message }, err: errorText(report) };
}

function failedRowsCase(report: RunResult, tolerance: number): JunitCase {
  const { ledger } = report;
  const failed = Object.entries(ledger).filter(([entry]) => entry.startsWith('failed_'));
  const nFailed = failed.reduce((sum, [, count]) => sum + count, 0);
  const name = tolerance === 0 ? 'no case failed' : `at most ${tolerance * 100} % of cases failed`;
  const found = `${nFailed} of ${ledger.n} cases failed`;
  if (nFailed <= tolerance * ledger.n) return { name, out: found };
  const classes = failed.map(([entry, count]) => `${entry} ${count}`).join(', ');
  const message = [`${found}: ${classes}`, ...forGood(report.failures).map(adviceText)].join('; ');
  return { name, failure: { type: 'failed_rows', message }, err: errorText(report) };
}

/** The causes of what failed, with an example of each. */
function errorText({ failures }: RunResult): string {
  return forGood(failures)
    .flatMap((failure) => [
      adviceText(failure),
      ...(failure.example === null ? [] : [`  for example: ${failure.example}`]),
    ])
    .join('\n');
}

function questionCases({
  judging: { metricTraits, otherTraits, itemScores, abstention },
}: JudgedResult): JunitCase[] {
  const named: (readonly [string, Score | null])[] = [
    ...metricTraits.flatMap(({ name, evaluationMode, metrics }) =>
      Object.entries(metrics).flatMap(([metric, { pooled, mean }]) => [
        [`${name} (${evaluationMode}): ${metric}, pooled`, pooled] as const,
        [`${name} (${evaluationMode}): ${metric}, mean of questions`, mean] as const,
      ]),
    ),
    ...otherTraits.map(({ name, source, score }) => [`${name} (${source})`, score] as const),
    ...itemScores.scores.map((score) => [score.name, score] as const),
    ...abstention.map((score) => [score.name, score] as const),
  ];
  return named.flatMap(([name, score]) =>
    score === null ? [] : [scoreCase('score', name, score, { n: score.nEvaluated })],
  );
}

function metricCase(score: Score): JunitCase {
  const { nEvaluated, nSuccesses, nAbstained } = score;
  return scoreCase('metric', score.name, score, {
    n_evaluated: nEvaluated,
    n_successes: nSuccesses,
    n_abstained: nAbstained,
  });
}

function scoreCase(
  kind: 'metric' | 'score',
  name: string,
  { value, reason, interval, intervalReason, bounds, nEvaluated, nSuccesses }: Score,
  counts: Readonly<Record<string, number | null | undefined>>,
): JunitCase {
  const properties = {
    value,
    lower: interval?.lower,
    upper: interval?.upper,
    level: interval?.level,
    interval_method: interval?.method,
    interval_reason: intervalReason,
    bounds_lower: bounds?.lower,
    bounds_upper: bounds?.upper,
    ...counts,
  };
  const named = { name: `${kind}: ${name}`, properties };
  if (value === null) return { ...named, skipped: `no value: ${reason}` };
  const could = bounds === null ? '' : ` [${bounds.lower} to ${bounds.upper}]`;
  const range = `${interval === null ? '' : ` (${interval.lower} to ${interval.upper})`}${could}`;
  return {
    ...named,
    out: `${name} = ${value}${range}, ${nSuccesses == null ? `n = ${nEvaluated}` : `${nSuccesses} of ${nEvaluated}`}`,
  };
}

function caseLines({ name, failure, skipped, properties, out, err }: JunitCase, group: string): string[] {
  return element('testcase', { classname: group, name }, [
    ...propertyLines(properties ?? {}),
    ...(failure === undefined ? [] : element('failure', failure)),
    ...(skipped === undefined ? [] : element('skipped', { message: skipped })),
    ...outLines(out ?? ''),
    ...outLines(err ?? '', 'system-err'),
  ]);
}

function propertyLines(properties: Attributes): string[] {
  const lines = Object.entries(properties).flatMap(([name, value]) =>
    value == null ? [] : element('property', { name, value }),
  );
  return lines.length === 0 ? [] : element('properties', {}, lines);
}

function outLines(text: string, name = 'system-out'): string[] {
  return text === '' ? [] : [`<${name}>${xmlText(text)}</${name}>`];
}

function element(name: string, attributes: Attributes, inside: readonly string[] = []): string[] {
  const head = Object.entries(attributes)
    .filter(([, value]) => value != null)
    .map(([key, value]) => ` ${key}="${xmlText(String(value))}"`);
  if (inside.length === 0) return [`<${name}${head.join('')}/>`];
  return [`<${name}${head.join('')}>`, ...inside.map((line) => `  ${line}`), `</${name}>`];
}
