import type { Extras } from '../../results/index.ts';
import { whole } from '../charts/number-text.ts';
import { code, numbers, paragraph, type Section, table, texts } from '../document/document.ts';
import { costText, cut, DASH } from '../words.ts';

type Field = Exclude<keyof Extras, 'prompt_templates'>;

/** Every field of a run's execution, in words. A new field does not compile until it is named here. */
const FIELDS: Record<Field, string> = {
  elapsed_seconds: 'time',
  records_per_second: 'records a second',
  latency_p50_seconds: 'latency of a call, median',
  latency_p95_seconds: 'latency of a call, 95th percentile',
  cost_usd: 'cost',
  token_total: 'tokens',
  input_tokens: 'input tokens',
  output_tokens: 'output tokens',
  wasted_tokens: 'tokens of replies that could not be used',
  n_calls: 'calls made',
  n_api_batches: 'calls planned, before splits and retries',
  n_retries: 'retries',
  n_splits: 'batches split in halves',
  n_single_fallbacks: 'records asked one by one after a failed batch',
  n_cache_hits: 'replies from the cache',
  n_rate_limits: 'rate limits hit',
  waited_seconds: 'time waited for the provider',
  n_repaired: 'rows whose reply was repaired',
  n_input_records: 'records',
  repeats: 'times each record was asked',
  batch_size: 'records in a call',
  max_concurrency: 'calls at the same time, at most',
  prompt_modes: 'prompt modes',
  n_prompts_captured: 'rows with a captured prompt',
  prompt_templates_count: 'distinct prompt templates',
  prompt_capture: 'prompts in the full JSON',
  prompt_data_policy: 'patient data in stored prompts',
  model_ids: 'model as the provider names it',
  simulated: 'simulated model',
};

/** Why a field has no value. Default: not stated. */
const REASONS: Partial<Record<Field, string>> = {
  cost_usd: 'no price is known for this model, or no tokens were reported',
  token_total: 'the backend reports no tokens',
  input_tokens: 'the backend reports no tokens',
  output_tokens: 'the backend reports no tokens',
  latency_p50_seconds: 'no call was timed',
  latency_p95_seconds: 'no call was timed',
  records_per_second: 'no time was measured',
};

/** How the run went: what it took, what it cost, what had to be repeated. */
export function execution(extras: Extras): Section {
  return {
    id: 'execution',
    title: 'Execution: time, tokens, cost',
    blocks: [
      table(
        'Execution',
        ['what', ...numbers('value'), ...texts('note'), 'field'],
        (Object.keys(FIELDS) as Field[]).map((field) => [
          FIELDS[field],
          fieldText(field, extras[field]),
          isMissing(extras[field]) ? (REASONS[field] ?? 'not stated') : '',
          code(field),
        ]),
      ),
      paragraph('Tokens are totals as measured. The tokens of a batch call are not divided among its rows.', {
        tone: 'small',
        except: ['text'],
      }),
    ],
  };
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function fieldText(field: Field, value: unknown): string {
  if (isMissing(value)) return DASH;
  if (Array.isArray(value)) return cut(value.join(', '), 500);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'number') return String(value);
  if (field === 'cost_usd') return costText(value);
  if (field.endsWith('_seconds')) return `${value.toFixed(value < 10 ? 3 : 1)} s`;
  return value >= 1000 ? whole(Math.round(value)) : String(Math.round(value * 10) / 10);
}
