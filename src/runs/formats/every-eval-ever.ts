import { createHash } from 'node:crypto';
import { isJudged } from '../../analyses/judging/judged-result.ts';
import { decisionFacts } from '../../core/decision-class.ts';
import type { Label } from '../../core/label.ts';
import { ledgerClass } from '../../core/ledger.ts';
import type { Score } from '../../core/score.ts';
import type { ReportFiles } from '../report-options.ts';
import type { BenchmarkRow, RunResult } from '../run-result.ts';

const VERSION = '0.3.0';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UNKNOWN = 'unknown';

/**
 * A run as records of Every Eval Ever 0.3, in the folders of its data set: an aggregate with every score, its interval and its judge, and beside it a sample for each row.
 * Of protected runs, and of answers to open questions, there is the aggregate only.
 */
export function everyEvalEver(run: RunResult): ReportFiles {
  const id = fileId(run);
  const folder = ['data', ...[run.suiteName, ...modelParts(run.backendName)].map(folderName)].join('/');
  const path = `${folder}/${id}`;
  const isShared = run.sensitivity === 'public' || run.sensitivity === 'synthetic';
  const samples = isShared && !isJudged(run) && run.imported?.hasRows !== false ? sampleLines(run) : null;
  const aggregate = {
    schema_version: VERSION,
    evaluation_id: evaluationId(run),
    evaluation_timestamp: timestamp(run),
    retrieved_timestamp: timestamp(run),
    source_metadata: {
      source_name: 'Krisis',
      source_type: 'evaluation_run',
      source_organization_name: UNKNOWN,
      evaluator_relationship: 'other',
      additional_details: {
        to_state: 'source_organization_name and evaluator_relationship: the run does not say who evaluated',
      },
    },
    eval_library: { name: 'krisis', version: run.krisisVersion ?? UNKNOWN },
    model_info: modelInfo(run.backendName, run.extras.simulated, run.extras.model_ids),
    evaluation_results: run.metricScores.flatMap((score) => result(run, score) ?? []),
    ...(samples !== null && {
      detailed_evaluation_results: {
        format: 'jsonl',
        file_path: `${path}_samples.jsonl`,
        hash_algorithm: 'sha256',
        checksum: sha256(samples.join('')),
        total_rows: samples.length,
      },
    }),
  };
  return {
    files: {
      [`${path}.json`]: `${JSON.stringify(aggregate, null, 2)}\n`,
      ...(samples !== null && { [`${path}_samples.jsonl`]: samples }),
    },
  };
}

/** A score with its interval; null where it has no value, which the schema cannot say. */
function result(run: RunResult, score: Score) {
  const { name, label, family, value, interval, nSuccesses, nEvaluated, facts, reads } = score;
  if (value === null) return null;
  const better = facts?.better ?? null;
  const isShare = nSuccesses != null;
  return {
    evaluation_result_id: resultId(run, name),
    evaluation_name: run.suiteName,
    source_data: {
      dataset_name: run.suiteName,
      source_type: 'other',
      additional_details: defined({ suite_hash: run.suiteHash, task: run.task?.id, arm: run.arm }),
    },
    metric_config: {
      evaluation_description: reads === '' ? label : reads,
      metric_id: `krisis.${name}`,
      metric_name: label,
      metric_kind: family,
      ...(isShare && { metric_unit: 'proportion', score_type: 'continuous', min_score: 0, max_score: 1 }),
      lower_is_better: better === 'lower',
      ...(score.judged !== undefined && { llm_scoring: llmScoring(run) }),
      ...(better === null && { additional_details: { direction: 'neither direction is better' } }),
    },
    score_details: {
      score: value,
      details: defined({
        n: nEvaluated,
        n_successes: nSuccesses,
        interval_reason: interval === null ? score.intervalReason : null,
        bounds_of_failed_rows: score.bounds && `${score.bounds.lower} to ${score.bounds.upper}`,
      }),
      uncertainty: {
        ...(interval !== null && {
          confidence_interval: {
            lower: interval.lower,
            upper: interval.upper,
            confidence_level: interval.level,
            method: interval.method,
          },
        }),
        num_samples: nEvaluated,
        ...(interval?.resamples != null && { num_bootstrap_samples: interval.resamples }),
      },
    },
    generation_config: generation(run),
  };
}

/** Who judged and how far people agree where they labelled the same items. */
function llmScoring(run: RunResult) {
  if (!isJudged(run)) return undefined;
  const { judge, jury } = run.judging;
  const scored = judge.judges.filter(({ name }) => judge.names.includes(name) || jury !== null);
  const template = run.extras.prompt_templates.find(({ prompt_mode: mode }) => mode === 'judge')?.prompt;
  const hashes = [...new Set(scored.flatMap(({ promptHashes }) => promptHashes))];
  const agreement = judge.calibration?.overall;
  return {
    judges: scored.map((member) => ({
      model_info: modelInfo(member.judge, /^(simulated|baseline)\//.test(member.judge), []),
      additional_details: { config: member.config, passes: String(member.passes) },
    })),
    input_prompt:
      template !== undefined && run.sensitivity !== 'protected'
        ? toText(template)
        : `not in this record; SHA-256 ${hashes.length === 0 ? UNKNOWN : hashes.join(', ')}`,
    ...(jury !== null && { aggregation_method: 'majority_vote' }),
    ...(agreement?.kappa != null && { expert_baseline: agreement.kappa }),
    additional_details: defined({
      status: judge.status,
      expert_baseline_is: agreement && "Cohen's kappa of the judge and people over the same items",
      n_compared: agreement?.nCompared,
    }),
  };
}

function modelInfo(name: string, isSimulated: boolean, ids: readonly string[]) {
  const [platform, model] = modelParts(name);
  return {
    name: model,
    id: name,
    ...(name.includes('/') && { inference_platform: platform }),
    additional_details: {
      deployment_type: UNKNOWN,
      model_availability: UNKNOWN,
      ...(isSimulated && { simulated: 'true: its answers are made up' }),
      ...(ids.length > 0 && { named_by_the_provider: ids.join(', ') }),
    },
  };
}

function generation({ parameters, extras, sensitivity, repeats }: RunResult) {
  const { temperature, top_p: topP, topP: camelTopP, max_tokens: maxTokens } = parameters;
  const p = topP ?? camelTopP;
  const [template] = extras.prompt_templates.filter(({ prompt_mode: mode }) => mode !== 'judge');
  return {
    generation_args: {
      ...(typeof temperature === 'number' && { temperature }),
      ...(typeof p === 'number' && { top_p: p }),
      ...(Number.isInteger(maxTokens) && { max_tokens: maxTokens }),
      ...(template !== undefined &&
        sensitivity !== 'protected' && { prompt_template: toText(template.prompt) }),
    },
    additional_details: {
      ...Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, toText(value)])),
      repeats: String(repeats),
    },
  };
}

/** A line for each row that was asked. Its metadata, which may hold text only, has what our own reader needs to score it the same. */
function sampleLines(run: RunResult): string[] {
  const actLabels = run.task?.actLabels ?? undefined;
  const choices = run.task?.labels.map(String) ?? [];
  const lines: string[] = [];
  for (const row of run.rows()) {
    if (row.state === 'not_run') continue;
    const reference = row.groundTruth === null ? [] : [String(row.groundTruth)];
    const isRight = ledgerClass(row) === 'answered_correct';
    const { mustAct } = decisionFacts(row, actLabels);
    lines.push(
      `${JSON.stringify({
        schema_version: VERSION,
        evaluation_id: evaluationId(run),
        model_id: run.backendName,
        evaluation_name: run.suiteName,
        evaluation_result_id: resultId(run, 'accuracy'),
        sample_id: row.id,
        sample_hash: sha256(JSON.stringify([run.suiteHash, row.id, reference])),
        interaction_type: 'single_turn',
        input: { raw: toText(row.prompt ?? ''), reference, ...(choices.length > 0 && { choices }) },
        output: { raw: row.rawResponse === null ? [] : [row.rawResponse] },
        answer_attribution: attribution(row.state === 'answered' ? row.prediction : null),
        evaluation: { score: row.score ?? Number(isRight), is_correct: isRight },
        ...tokenUsage(row),
        ...(row.latencyMs !== null && { performance: { latency_ms: row.latencyMs } }),
        ...(row.state === 'failed' && { error: row.stateReason ?? 'failed' }),
        metadata: defined({
          ...row.metadata,
          written_by: 'krisis',
          state: row.state,
          state_reason: row.stateReason,
          repeat: row.repeat,
          abstained: row.abstained,
          confidence: row.confidence,
          urgent: row.urgent,
          must_act: mustAct,
          deferral_reason: row.deferralReason,
          call: row.call,
        }),
      })}\n`,
    );
  }
  return lines;
}

function attribution(prediction: Label | null) {
  if (prediction === null) return [];
  return [
    {
      turn_idx: 0,
      source: 'output.raw',
      extracted_value: String(prediction),
      extraction_method: 'strict_schema',
      is_terminal: true,
    },
  ];
}

function tokenUsage({ inputTokens, outputTokens, totalTokens, tokensEstimated }: BenchmarkRow) {
  if (inputTokens === null || outputTokens === null || tokensEstimated) return {};
  const total = totalTokens ?? inputTokens + outputTokens;
  return { token_usage: { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: total } };
}

function resultId(run: RunResult, metric: string): string {
  return `${evaluationId(run)}#${metric}`;
}

function evaluationId(run: RunResult): string {
  return `${run.suiteName}/${run.backendName.replaceAll('/', '_')}/${timestamp(run)}`;
}

/** Seconds since 1970, as the schema has it. */
function timestamp({ createdAt }: RunResult): string {
  return createdAt === null ? UNKNOWN : String(Math.floor(Date.parse(createdAt) / 1000));
}

/** The id of the run where it has the form that the schema wants; else one that follows from what the run is. */
function fileId(run: RunResult): string {
  if (run.runId !== null && UUID.test(run.runId)) return run.runId;
  const hash = sha256(
    JSON.stringify([run.runId, run.suiteName, run.backendName, run.createdAt, run.card.scores]),
  );
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** `openai/gpt-5-mini` as provider and model. */
function modelParts(name: string): readonly [string, string] {
  const slash = name.indexOf('/');
  return slash < 0 ? [UNKNOWN, name] : [name.slice(0, slash), name.slice(slash + 1)];
}

/** One folder, whatever the name holds. */
function folderName(name: string): string {
  return (
    name
      .replace(/[^\w.-]+/g, '_')
      .replace(/^\.+/, '_')
      .slice(0, 100) || '_'
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The values that are there, as text. */
function defined(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value == null ? [] : [[key, toText(value)]])),
  );
}

function toText(value: unknown): string {
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join('; ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
