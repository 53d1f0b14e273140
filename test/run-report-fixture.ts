import { analyseRun, startCollectors } from '../src/analyses/registry.ts';
import { type EvaluationResult, evaluationResult } from '../src/core/evaluation-result.ts';
import { buildTable } from '../src/metrics/columns.ts';
import { DEFERRAL_REASONS } from '../src/metrics/deferral/decision-groups.ts';
import { buildFigures } from '../src/metrics/figures.ts';
import { keysToKeep, type ScoringOptions, scoreTable } from '../src/metrics/score.ts';
import { warningsFor } from '../src/metrics/warnings.ts';
import type { Extras } from '../src/runs/execution.ts';
import { makeResult } from '../src/runs/make-result.ts';
import type { RunResult } from '../src/runs/run-result.ts';
import { RunFile } from '../src/store/run-file.ts';
import type { Row } from '../src/store/tables.ts';

/** How a run of forty records went. */
export const extras: Extras = {
  batch_size: 8,
  max_concurrency: 4,
  n_input_records: 40,
  n_api_batches: 5,
  elapsed_seconds: 12.5,
  records_per_second: 3.2,
  input_tokens: 4000,
  output_tokens: 800,
  token_total: 4800,
  prompt_capture: 'evaluation_results.prompt',
  prompt_data_policy: 'patient_data_redacted',
  prompt_modes: ['batch'],
  n_prompts_captured: 40,
  prompt_templates_count: 1,
  prompt_templates: [
    { prompt_mode: 'batch', prompt: [{ role: 'system', content: 'State the stage.\n{{patient_data}}' }] },
  ],
  repeats: 1,
  n_calls: 7,
  n_retries: 2,
  n_splits: 1,
  n_single_fallbacks: 0,
  wasted_tokens: 120,
  n_cache_hits: 3,
  oldest_cache_hit: '2026-02-27T08:15:00.000Z',
  n_replies: 8,
  n_repaired: 1,
  cost_usd: 0.0421,
  unsettled_usd: null,
  n_settled_at_reserve: 0,
  latency_p50_seconds: 0.8,
  latency_p95_seconds: 2.25,
  n_rate_limits: 1,
  waited_seconds: 1.5,
  n_asked_again: 0,
  calls_made: [],
  workers: [],
  roles: [],
  call_settings: [{ max_output_tokens: 2048, timeout_seconds: 300, max_retries: 3, n_calls: 7 }],
  model_ids: ['model-2026-01-01'],
  simulated: false,
};

/** Forty rows of three stages: mostly right, some wrong, eight abstained, one invalid. */
export const rows: readonly EvaluationResult[] = Array.from({ length: 40 }, (_, i) => {
  const groundTruth = ['G1', 'G2', 'G3a'][i % 3]!;
  const metadata = { should_abstain: i % 5 === 0, sex: i % 2 === 0 ? 'female' : 'male' };
  const id = `r${i}`;
  if (i % 5 === 0) return evaluationResult({ id, groundTruth, abstained: true, metadata });
  if (i === 1) return evaluationResult({ id, groundTruth, state: 'invalid', metadata });
  const prediction = i % 7 === 0 ? 'G1' : groundTruth;
  return evaluationResult({ id, groundTruth, prediction, confidence: 0.6 + (i % 4) / 10, metadata });
});

const scoring: ScoringOptions = {
  groupBy: ['sex'],
  resamples: 50,
  task: 'staging',
  labels: ['G1', 'G2', 'G3a'],
};

/** No one said anything of these rows. */
const NO_FILE = RunFile.inMemory();

/** A report of these rows, as reading a run file gives it. */
export function reportOf(
  change: Partial<RunResult> = {},
  of: readonly EvaluationResult[] = rows,
  options: ScoringOptions = scoring,
): RunResult {
  const table = buildTable(of, { keep: [...keysToKeep(options), DEFERRAL_REASONS] });
  const card = scoreTable(table, options);
  const suite = {
    name: 'ckd/staging',
    n_total_eval_records: of.length,
    n_training_records: 10,
    labels: { G1: 14, G2: 13, G3a: 13 },
    not_measured: { Creatinine: 2 },
    provenance: { source: 'a hospital', reference_standard: 'two readers' },
    warnings: ['Small numbers.'],
  };
  const collectors = startCollectors(options, null);
  for (const row of of) for (const collector of collectors.values()) collector.add(row);
  const unanalysed: Omit<Parameters<typeof makeResult>[0], 'analyses' | 'analyse'> = {
    path: '/data/runs/demo.db',
    fileIdentity: null,
    numbersFrom: 'rows',
    reviewProblem: null,
    excluded: null,
    confidenceSource: 'stated',
    nothingAsked: false,
    runId: null,
    backendName: 'demo/model',
    suiteName: 'ckd/staging',
    suiteHash: 'ab'.repeat(32),
    suite,
    suiteDescription: undefined,
    task: {
      kind: 'labels',
      id: 'ckd/staging',
      labels: ['G1', 'G2', 'G3a'],
      positiveLabel: null,
      ordered: true,
      labelFromValues: false,
      urgencyAsked: null,
      actLabels: null,
      pack: 'staging',
      deferralReasons: null,
      stratum: { key: 'ckd_stage', label: 'stage' },
    },
    arm: 'natural',
    instructions: 'State the stage.',
    primaryEndpoint: { metric: 'decision_accuracy', arm: 'natural', why: 'it counts both' },
    sensitivity: 'public',
    status: 'complete',
    stoppedBecause: null,
    createdAt: '2026-03-01T12:30:15.123Z',
    krisisVersion: '0.1.0',
    seed: 7,
    parameters: { temperature: 0 },
    egress: { provider: 'demo', host: 'api.example.org', loopback: false, protected_data_allowed: false },
    imported: null,
    recorded: null,
    shard: null,
    repeats: 1,
    nRecords: of.length,
    card,
    extras,
    published: null,
    figures: buildFigures(table, {
      ...(options.labels && { labels: options.labels }),
      subgroups: card.subgroups,
      level: card.method.level,
      positiveLabel: options.positiveLabel,
    }),
    rows: () => [],
    scoredRows: () => [],
    close: () => {},
    ...change,
  };
  const { results, analyse } = analyseRun(
    {
      run: { ...unanalysed, stopEarly: null, baselines: [], task: null },
      file: NO_FILE,
      table,
      card,
      failures: { calls: [], rows: [], unusable: [] },
      scoring: options,
      repeats: 1,
      rows: () => of as Row[],
    },
    collectors,
  );
  const facts = { ...unanalysed, analyses: results, analyse };
  return { ...makeResult(facts), warnings: warningsFor(facts.card), ...change };
}
