import type { MetricScore } from '../../metrics/index.ts';
import type { QuestionReport } from '../../results/index.ts';
import type { ReportOptions } from '../report-options.ts';
import { sortedJson } from '../sorted-json.ts';
import { answerObject } from './answer-object.ts';
import { judgeObject } from './judge-object.ts';
import { listLevelObject } from './list-level.ts';
import { metricTraitObject, otherTraitObject } from './trait-objects.ts';

const SCHEMA_VERSION = '1.0';

/** The numbers of a run of open questions, without its rows. */
export function questionRunJson(
  report: QuestionReport,
  { verdicts }: ReportOptions = {},
): Record<string, unknown> {
  return { ...common(report, verdicts), execution: report.extras };
}

/** The same as text: strict JSON with sorted keys. */
export function questionMetricsJson(report: QuestionReport, options: ReportOptions = {}): string {
  return `${sortedJson(questionRunJson(report, options), 0)}\n`;
}

/** The full JSON piece by piece, with every answer under `evaluation_results` unless told. */
export function* questionJsonChunks(
  report: QuestionReport,
  options: ReportOptions & { readonly includeResults?: boolean | undefined } = {},
): Generator<string> {
  const { includeResults = true, verdicts } = options;
  const whole: Readonly<Record<string, unknown>> = {
    ...common(report, verdicts),
    extras: report.extras,
    n_evaluation_results: report.answers.length,
    ...(includeResults && { [ROWS]: null }),
  };
  let before = '{';
  for (const key of Object.keys(whole).sort()) {
    if (whole[key] === undefined) continue;
    yield `${before}\n  ${JSON.stringify(key)}: `;
    before = ',';
    if (key === ROWS) yield* rowChunks(report);
    else yield sortedJson(whole[key], 1);
  }
  yield '\n}\n';
}

const ROWS = 'evaluation_results';

function* rowChunks({ answers }: QuestionReport): Generator<string> {
  let before = '[';
  for (const answer of answers) {
    yield `${before}\n    ${sortedJson(answerObject(answer))}`;
    before = ',';
  }
  yield before === '[' ? '[]' : '\n  ]';
}

function common(report: QuestionReport, verdicts: ReportOptions['verdicts']) {
  const { method } = report;
  return {
    schema_version: SCHEMA_VERSION,
    kind: 'questions',
    backend_name: report.backendName,
    suite: report.suite,
    status: report.status,
    n_questions: report.nQuestions,
    ledger: report.ledger,
    judge: judgeObject(report.judge),
    list_level: report.listLevel.map(listLevelObject),
    traits: [...report.metricTraits.map(metricTraitObject), ...report.otherTraits.map(otherTraitObject)],
    metrics: Object.fromEntries(report.abstention.map((score) => [score.name, metricObject(score)])),
    warnings: report.warnings,
    gates: verdicts,
    provenance: {
      suite_name: report.suiteName,
      suite_hash: report.suiteHash,
      krisis_version: report.krisisVersion,
      created_at: report.createdAt,
      seed: report.seed,
      parameters: report.parameters,
      simulated: report.extras.simulated,
      sensitivity: report.sensitivity,
      egress: report.egress,
      judge_egress: report.judgeEgress,
      recorded: report.recorded,
      repeats: report.repeats,
      stopped_because: report.stoppedBecause,
      method: {
        level: method.level,
        resamples: method.resamples,
        seed: method.seed,
        generator: method.generator,
        unit: method.unit,
        scored_pass: method.scoredPass,
      },
    },
  };
}

function metricObject(score: MetricScore) {
  return {
    name: score.name,
    label: score.label,
    value: score.value,
    reason: score.reason,
    interval: score.interval,
    interval_reason: score.intervalReason,
    bounds: score.bounds,
    n_evaluated: score.nEvaluated,
    n_abstained: score.nAbstained,
    details: score.details,
  };
}
