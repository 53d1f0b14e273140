import type { Manifest, RunFile } from '../store/index.ts';
import { extrasOf, plannedBatches } from './execution.ts';
import type { RunExtras } from './run-report.ts';

const UNKNOWN: RunExtras = {
  batch_size: null,
  max_concurrency: null,
  n_input_records: null,
  n_api_batches: null,
  elapsed_seconds: null,
  records_per_second: null,
  input_tokens: null,
  output_tokens: null,
  token_total: null,
  prompt_capture: null,
  prompt_data_policy: null,
  prompt_modes: [],
  n_prompts_captured: null,
  prompt_templates_count: null,
  prompt_templates: [],
  repeats: null,
  n_calls: null,
  n_retries: null,
  n_splits: null,
  n_single_fallbacks: null,
  wasted_tokens: null,
  n_cache_hits: null,
  n_repaired: null,
  cost_usd: null,
  latency_p50_seconds: null,
  latency_p95_seconds: null,
  n_rate_limits: null,
  waited_seconds: null,
  model_ids: [],
  simulated: false,
};

/** How a run went: as its manifest says; for a run that nobody has ended, as far as its calls and rows tell. */
export function readExtras(
  file: RunFile,
  manifest: Manifest,
  run: { readonly repeats: number; readonly promptModes: readonly string[] },
): RunExtras {
  const wasEnded = manifest.status !== 'running' && isObject(manifest.extras);
  if (wasEnded || manifest.imported !== null) return storedExtras(manifest.extras);
  const nRecords = file.nRecords();
  const batchSize = manifest.identity.batch_size ?? 1;
  return {
    ...extrasOf({
      batchSize,
      maxConcurrency: 1,
      nRecords,
      repeats: run.repeats,
      nApiBatches: plannedBatches(nRecords, batchSize, run.repeats),
      elapsedSeconds: 0,
      totals: file.totals(),
      templates: file.templates(),
      promptModes: run.promptModes,
      waitedSeconds: 0,
      nRepaired: file.nRepaired(),
      simulated: manifest.simulated === true,
    }),
    // Nobody wrote these down yet.
    max_concurrency: null,
    elapsed_seconds: null,
    records_per_second: null,
    waited_seconds: null,
  };
}

/** What a file says, where it is of the kind that it should be; null where it says nothing. */
function storedExtras(value: unknown): RunExtras {
  if (!isObject(value)) return UNKNOWN;
  const known = Object.entries(value).filter(([key, said]) => {
    const unknown: unknown = UNKNOWN[key as keyof RunExtras];
    if (Array.isArray(unknown)) return Array.isArray(said);
    if (typeof unknown === 'boolean') return typeof said === 'boolean';
    return unknown === undefined || said === null || ['number', 'string'].includes(typeof said);
  });
  return { ...UNKNOWN, ...Object.fromEntries(known) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
