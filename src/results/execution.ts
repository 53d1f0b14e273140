import { quantile } from '../statistics/index.ts';
import type { CallTotals } from '../store/index.ts';

interface PromptTemplate {
  readonly prompt_mode: string;
  readonly prompt: unknown;
}

/** How a run went, in the names that people's scripts know. */
export interface Extras {
  readonly batch_size: number;
  readonly max_concurrency: number | string;
  readonly n_input_records: number;
  /** Planned calls, before splits and retries. */
  readonly n_api_batches: number;
  readonly elapsed_seconds: number;
  readonly records_per_second: number | null;
  /** Null when the backend tells no usage. */
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly token_total: number | null;
  /** Where prompts lie in the full JSON. */
  readonly prompt_capture: 'evaluation_results.prompt';
  readonly prompt_data_policy: 'patient_data_redacted';
  readonly prompt_modes: readonly string[];
  readonly n_prompts_captured: number;
  readonly prompt_templates_count: number;
  readonly prompt_templates: readonly PromptTemplate[];
  readonly repeats: number;
  readonly n_calls: number;
  readonly n_retries: number;
  readonly n_splits: number;
  readonly n_single_fallbacks: number;
  readonly wasted_tokens: number;
  readonly n_cache_hits: number;
  /** Rows whose reply had to be mended to be read. */
  readonly n_repaired: number;
  readonly cost_usd: number | null;
  readonly latency_p50_seconds: number | null;
  readonly latency_p95_seconds: number | null;
  readonly n_rate_limits: number;
  readonly waited_seconds: number;
  readonly model_ids: readonly string[];
  readonly simulated: boolean;
}

export function extrasOf(run: {
  readonly batchSize: number;
  readonly maxConcurrency: number | string;
  readonly nRecords: number;
  readonly repeats: number;
  readonly nApiBatches: number;
  readonly elapsedSeconds: number;
  readonly totals: CallTotals;
  readonly templates: readonly { readonly mode: string; readonly prompt: unknown; readonly n: number }[];
  readonly promptModes: readonly string[];
  readonly waitedSeconds: number;
  readonly nRepaired: number;
  readonly simulated: boolean;
}): Extras {
  const { totals, templates, elapsedSeconds } = run;
  const latencies = Float64Array.from(totals.latencies).sort();
  const hasTokens = totals.inputTokens !== null || totals.outputTokens !== null;
  return {
    batch_size: run.batchSize,
    max_concurrency: run.maxConcurrency,
    n_input_records: run.nRecords,
    n_api_batches: run.nApiBatches,
    elapsed_seconds: elapsedSeconds,
    records_per_second: elapsedSeconds > 0 ? (run.nRecords * run.repeats) / elapsedSeconds : null,
    input_tokens: totals.inputTokens,
    output_tokens: totals.outputTokens,
    token_total: hasTokens ? (totals.inputTokens ?? 0) + (totals.outputTokens ?? 0) : null,
    prompt_capture: 'evaluation_results.prompt',
    prompt_data_policy: 'patient_data_redacted',
    prompt_modes: run.promptModes,
    n_prompts_captured: templates.reduce((sum, { n }) => sum + n, 0),
    prompt_templates_count: templates.length,
    prompt_templates: templates.map(({ mode, prompt }) => ({ prompt_mode: mode, prompt })),
    repeats: run.repeats,
    n_calls: totals.calls,
    n_retries: totals.retries,
    n_splits: totals.splits,
    n_single_fallbacks: totals.singleFallbacks,
    wasted_tokens: totals.wastedTokens,
    n_cache_hits: totals.cacheHits,
    n_repaired: run.nRepaired,
    cost_usd: totals.costUsd,
    latency_p50_seconds: quantile(latencies, 0.5),
    latency_p95_seconds: quantile(latencies, 0.95),
    n_rate_limits: totals.rateLimits,
    waited_seconds: run.waitedSeconds,
    model_ids: totals.modelIds,
    simulated: run.simulated,
  };
}

/** How many provider calls a run plans, before any split or retry. */
export function plannedBatches(nRecords: number, batchSize: number, repeats = 1): number {
  return Math.ceil(nRecords / batchSize) * repeats;
}
