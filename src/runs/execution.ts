import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { camelKeys } from '../core/codec.ts';
import { dateText } from '../core/wording.ts';
import { hasSlot } from '../models/api/prompt.ts';
import { quantile } from '../statistics/samples.ts';
import type { CallTotals } from '../store/call-sums.ts';
import type { Run } from '../store/run.ts';
import type { RunFile } from '../store/run-file.ts';

const number = z.number().nullable().catch(null);
const text = z.string().nullable().catch(null);
const texts = z.array(z.string()).readonly().catch([]);

/** How a run went, in the keys of its file and of the JSON reports. This table is the type, and the reader of files: what a file does not say is null, and keys that only another framework knows are kept. */
const extrasSchema = z.looseObject({
  /** Records in one call. */
  batch_size: number,
  /** Calls at the same time: a number, or `auto`. */
  max_concurrency: z.union([z.number(), z.string()]).nullable().catch(null),
  n_input_records: number,
  /** Planned calls, before splits and retries. */
  n_api_batches: number,
  elapsed_seconds: number,
  records_per_second: number,
  /** Null where the backend reports no usage. */
  input_tokens: number,
  output_tokens: number,
  token_total: number,
  /** Where the full JSON holds the prompts. */
  prompt_capture: text,
  /** `patient_data_redacted`, or `patient_data_stored` where a backend of the user's own handed over prompts that may hold features of records. */
  prompt_data_policy: text,
  /** `single`, `batch`: how records were put into prompts. */
  prompt_modes: texts,
  n_prompts_captured: number,
  prompt_templates_count: number,
  /** Each prompt once, with the patient data taken out. */
  prompt_templates: z
    .array(z.object({ prompt_mode: z.string(), prompt: z.unknown() }))
    .readonly()
    .catch([]),
  repeats: number,
  n_calls: number,
  n_retries: number,
  n_splits: number,
  n_single_fallbacks: number,
  /** Tokens of calls whose reply could not be used. */
  wasted_tokens: number,
  /** Replies from the cache; they are not among the calls. */
  n_cache_hits: number,
  /** When the oldest of them was given, in ISO 8601. */
  oldest_cache_hit: text,
  /** Calls that were answered, and replies from the cache. */
  n_replies: number,
  /** Rows whose reply had to be repaired before it could be read. */
  n_repaired: number,
  /** What settled calls cost. */
  cost_usd: number,
  /** What was set aside for calls whose outcome is not known, because a process was killed: it may have been charged. */
  unsettled_usd: number,
  /** Calls counted at the most they could have cost, because the provider reported no usage that can be true. */
  n_settled_at_reserve: number,
  latency_p50_seconds: number,
  latency_p95_seconds: number,
  n_rate_limits: number,
  waited_seconds: number,
  /** Rows that were asked again after they failed. */
  n_asked_again: number,
  /** Limits of the calls for answers, and how many calls had them; several where a run was continued with other limits. */
  call_settings: z
    .array(
      z.object({
        max_output_tokens: number,
        timeout_seconds: number,
        max_retries: number,
        n_calls: z.number(),
      }),
    )
    .readonly()
    .catch([]),
  /** How calls were made (`http`, `bulk`, `queue`) and by which worker; empty where all were ordinary calls of one process. */
  calls_made: z
    .array(z.object({ via: z.string(), worker: text, n_calls: z.number(), n_failed: z.number() }))
    .readonly()
    .catch([]),
  /** What the calls of each worker brought: rows, rows with a label, and right answers among those; empty without workers. A box that answers differently shows here. */
  workers: z
    .array(z.object({ worker: z.string(), n_rows: z.number(), n_labelled: z.number(), n_right: z.number() }))
    .readonly()
    .catch([]),
  /** Calls, tokens and cost of a run of open questions by who was asked: the model that answers, then each judge. Empty for labels. */
  roles: z
    .array(
      z.object({
        role: z.enum(['model', 'judge']),
        name: z.string(),
        /** The configuration of the judge; null for the model. */
        config: text,
        n_calls: z.number(),
        n_cache_hits: z.number(),
        input_tokens: number,
        output_tokens: number,
        cost_usd: number,
      }),
    )
    .readonly()
    .catch([]),
  /** The models that answered, as the provider names them. */
  model_ids: texts,
  simulated: z.boolean().catch(false),
});

/** The declared keys of a loose object. */
type Known<T> = { readonly [K in keyof T as string extends K ? never : K]: T[K] };

/** How a run went, in the JSON keys that scripts know. */
export type Extras = Known<z.infer<typeof extrasSchema>>;

/** How a run went: {@link Extras} with names in camelCase. */
export type Execution = ReturnType<typeof camelKeys<Extras>>;

/**
 * The camelCase face of `extras`.
 *
 * @example
 * ```ts
 * const suite = new CkdSuite({ task: 'detection', nRecords: 20, testSize: 1 });
 * const { execution, extras } = await new Benchmark(suite, await createBackend('baseline/guideline', suite, { seed: 42 })).run();
 * [execution.nInputRecords, extras.n_input_records] // => [20, 20]
 * ```
 */
export function readExecution(extras: Extras): Execution {
  return camelKeys(extras);
}

/** How a run was paced; null where it is written down only when the run ends. */
export interface RunPace {
  readonly batchSize: number;
  /** Records in one call, where the backend answers them one by one. Default: the batch size. */
  readonly callSize?: number | undefined;
  readonly maxConcurrency: number | string | null;
  /** Over all sessions. */
  readonly elapsedSeconds: number | null;
  readonly waitedSeconds: number | null;
  readonly simulated: boolean;
}

/** How a run went, from its calls and rows. */
export function collectExtras(
  file: Pick<RunFile, 'records' | 'calls' | 'manifest' | 'rows'>,
  run: RunPace & { readonly repeats: number; readonly promptModes: readonly string[] },
): Extras {
  const { elapsedSeconds, repeats } = run;
  const manifest = file.manifest();
  const kind = KINDS[manifest.kind];
  const [nRecords, totals, templates] = [file.records.count(), file.calls.totals(), file.rows.templates()];
  const { unsettledUsd, nUnsettled } = file.calls.spent();
  const latencies = Float64Array.from(totals.latencies).sort();
  const hasTokens = totals.inputTokens !== null || totals.outputTokens !== null;
  return {
    batch_size: run.batchSize,
    max_concurrency: run.maxConcurrency,
    n_input_records: nRecords,
    n_api_batches: plannedBatches(nRecords, run.callSize ?? run.batchSize, repeats),
    elapsed_seconds: elapsedSeconds,
    records_per_second: elapsedSeconds ? (nRecords * repeats) / elapsedSeconds : null,
    input_tokens: totals.inputTokens,
    output_tokens: totals.outputTokens,
    token_total: hasTokens
      ? (totals.inputTokens ?? 0) + (totals.outputTokens ?? 0)
      : file.rows.sumTotalTokens(),
    prompt_capture: 'evaluation_results.prompt',
    prompt_data_policy: kind.holdsFilledPrompts(manifest, templates)
      ? 'patient_data_stored'
      : 'patient_data_redacted',
    prompt_modes: run.promptModes,
    n_prompts_captured: templates.reduce((sum, { n }) => sum + n, 0),
    prompt_templates_count: templates.length,
    prompt_templates: templates.map(({ mode, prompt }) => ({ prompt_mode: mode, prompt })),
    repeats,
    n_calls: totals.calls,
    n_retries: totals.retries,
    n_splits: totals.splits,
    n_single_fallbacks: Math.max(
      totals.singleFallbacks,
      run.batchSize > 1 && totals.splits > 0
        ? totals.ofOneRecord - plannedAlone(nRecords, run.batchSize, repeats)
        : 0,
    ),
    wasted_tokens: totals.wastedTokens,
    n_cache_hits: totals.cacheHits,
    oldest_cache_hit:
      totals.oldestCacheHit === null ? null : new Date(totals.oldestCacheHit * 1000).toISOString(),
    n_replies: totals.replies,
    n_repaired: file.rows.countRepaired(),
    cost_usd: totals.costUsd,
    unsettled_usd: nUnsettled === 0 ? null : unsettledUsd,
    n_settled_at_reserve: totals.settledAtReserve,
    latency_p50_seconds: quantile(latencies, 0.5),
    latency_p95_seconds: quantile(latencies, 0.95),
    n_rate_limits: totals.rateLimits,
    waited_seconds: run.waitedSeconds,
    n_asked_again: file.rows.countAskedAgain(),
    call_settings: file.calls.settings().map(({ settings, nCalls }) => ({
      max_output_tokens: settings.max_output_tokens ?? null,
      timeout_seconds: settings.timeout_seconds ?? null,
      max_retries: settings.max_retries ?? null,
      n_calls: nCalls,
    })),
    calls_made: file.calls.made().map(({ via, worker, nCalls, nFailed }) => ({
      via,
      worker,
      n_calls: nCalls,
      n_failed: nFailed,
    })),
    workers: file.calls.rowsByWorker().map(({ worker, nRows, nLabelled, nRight }) => ({
      worker,
      n_rows: nRows,
      n_labelled: nLabelled,
      n_right: nRight,
    })),
    roles: kind.roles(file),
    model_ids: totals.modelIds,
    simulated: run.simulated,
  };
}

/** What differs between kinds of tasks: for open questions no prompts are stored, and judges are asked beside the model. */
const KINDS = {
  labels: { holdsFilledPrompts, roles: () => [] },
  text: { holdsFilledPrompts: () => false, roles: collectRoles },
};

/** Whether prompts are stored that are not known to be templates. Of protected suites there are none. */
function holdsFilledPrompts(
  { sensitivity, promptTemplate: declared }: Run,
  templates: readonly { readonly prompt: unknown }[],
): boolean {
  if ((sensitivity ?? 'protected') === 'protected') return false;
  return !templates.every(
    ({ prompt }) => Array.isArray(prompt) && (hasSlot(prompt) || isDeepStrictEqual(prompt, declared)),
  );
}

/** Who was asked how much: the model, and each judge with its configuration. */
function collectRoles(file: Pick<RunFile, 'calls' | 'manifest'>): Extras['roles'] {
  const { model, judge, judges } = file.manifest();
  const asked = judges ?? (judge === null ? [] : [{ judge: judge.judge, config: '' }]);
  const of = (
    about: Pick<Extras['roles'][number], 'role' | 'name' | 'config'>,
    { calls, cacheHits, inputTokens, outputTokens, costUsd }: CallTotals,
  ) => ({
    ...about,
    n_calls: calls,
    n_cache_hits: cacheHits,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cost_usd: costUsd,
  });
  return [
    of({ role: 'model', name: model ?? 'unknown', config: null }, file.calls.totals('model')),
    ...asked.map(({ judge: name, config }) =>
      of({ role: 'judge', name, config }, file.calls.judgeTotals(config)),
    ),
  ];
}

/** How many provider calls a run plans, before any split or retry. */
/** How many of the planned calls are about one record, because it is what is left. */
function plannedAlone(nRecords: number, batchSize: number, repeats: number): number {
  return nRecords % batchSize === 1 ? repeats : 0;
}

export function plannedBatches(nRecords: number, batchSize: number, repeats = 1): number {
  return Math.ceil(nRecords / batchSize) * repeats;
}

/** How a run went: as its manifest says; for a run that has not ended, as far as its calls and rows show. */
export function readExtras(
  file: RunFile,
  manifest: Run,
  run: { readonly repeats: number; readonly promptModes: readonly string[] },
): Extras {
  const hasEnded = manifest.status !== 'running' && manifest.extras !== null;
  if (hasEnded || manifest.imported !== null) {
    const stored = extrasSchema.parse(manifest.extras ?? {});
    return stored.roles.length > 0 || manifest.imported !== null
      ? stored
      : { ...stored, roles: KINDS[manifest.kind].roles(file) };
  }
  return collectExtras(file, {
    ...run,
    batchSize: manifest.identity.batchSize ?? 1,
    maxConcurrency: null,
    elapsedSeconds: null,
    waitedSeconds: null,
    simulated: manifest.simulated === true,
  });
}

/** How many replies of a run come from the cache, and how old the oldest is; null where none does. */
export function cachedRepliesText({
  n_cache_hits: n,
  n_replies: of,
  oldest_cache_hit: oldest,
}: Pick<Extras, 'n_cache_hits' | 'n_replies' | 'oldest_cache_hit'>): string | null {
  if (n === null || n === 0) return null;
  const replies =
    of === null ? (n === 1 ? 'reply' : 'replies') : `of ${of} ${of === 1 ? 'reply' : 'replies'}`;
  const age = oldest === null ? 'of unknown age' : `${n === 1 ? '' : 'oldest '}from ${dateText(oldest)}`;
  return `${n} ${replies} ${n === 1 ? 'comes' : 'come'} from the cache (${age})`;
}
