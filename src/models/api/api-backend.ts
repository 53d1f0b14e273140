import { hash } from 'node:crypto';
import { contentHash } from '../../core/canonical-json.ts';
import { KrisisError } from '../../core/errors.ts';
import type { TextReply, TextRequest, TokenUsage } from '../../core/text-request.ts';
import type { Task } from '../../suites/task.ts';
import type { Backend, BackendResponse, CallRef, Destination, Transport, VisibleRecord } from '../backend.ts';
import { BackendError, ownError } from '../backend-error.ts';
import { type ApiOptions, completeOptions } from './api-options.ts';
import { askText } from './ask-model.ts';
import { baseUrlText, isLoopback, parseBaseUrl } from './base-url.ts';
import type { WireRequest } from './bulk/wire.ts';
import type { ModelReply } from './model-reply.ts';
import { PARSER_VERSION } from './parse-reply.ts';
import { buildRequest, promptFrameHash } from './prompt.ts';
import type { ModelAccess, ModelRequest, Provider } from './providers/provider.ts';
import { findProvider } from './providers/providers.ts';
import { batchRows, filteredRow, singleRow } from './reply-rows.ts';

/** Estimates for one answer as JSON: a label, a flag, a number and the case's name; with reasoning, a few sentences and a reason more. Hidden reasoning adds an unknown amount. */
const OUTPUT_TOKENS_PER_ROW = { reasoned: 160, plain: 60 };
const CHARACTERS_PER_TOKEN = 4;
/** What providers add to a request: marks of roles, the text that introduces a schema or a tool. */
const FRAME_TOKENS = 1024;

/**
 * A model behind an API, named `provider/model`: `openai/gpt-5-mini`, `ollama/llama3.2`. Keys come from the environment. Creating a backend sends nothing.
 *
 * @example
 * ```ts
 * const backend = await apiBackend('openai-compatible/my-model', { baseUrl: 'http://127.0.0.1:8000/v1' });
 * backend.name // => 'openai-compatible/my-model'
 * backend.destination // => { provider: 'openai-compatible', host: '127.0.0.1:8000', loopback: true }
 * ```
 */
export async function apiBackend(model: string, settings: ApiOptions = {}): Promise<Backend> {
  const options = completeOptions(settings);
  const { env, structuredOutput, reasoning, timeoutSeconds } = options;
  const { maxRetries, retryBaseSeconds, retryMaxSeconds } = options;
  const { id, provider } = findProvider(model);
  const { name } = provider;
  const baseUrl = options.baseUrl === undefined ? null : parseBaseUrl(options.baseUrl, 'baseUrl');
  const access = resolveAccess(provider, {
    model,
    id,
    baseUrl,
    env,
    sendsKey: options.sendKey,
    structuredOutput,
    keyRequired: options.keyRequired,
    ...(options.queue !== undefined && { endpoint: options.endpoint }),
  });
  if (options.logprobs && !access.hasLogprobs)
    throw new KrisisError(`${model}: log-probabilities of tokens are not available from ${name}`, {
      code: 'ERR_MODEL_SETTING',
      value: model,
    });
  const destination = findDestination(provider, id, access);
  const parameters = identifyParameters(id, name, access, options);
  const identity = contentHash({ destination, parameters });
  const { send: put, bulk } =
    options.transport === undefined
      ? await sendOverHttp(model, provider, access, options)
      : { send: options.transport, bulk: undefined };
  const send: Transport = async (request, call) => {
    const reply = call?.cached ?? (await put(request, call));
    call?.received?.(reply);
    return reply;
  };

  const maxTextTokens = boundTokens(provider, options);
  const requestFor = keepRequests(options);

  const hashParts = (...parts: unknown[]) => hash('sha256', JSON.stringify([identity, ...parts]));
  const sentSchema = ({ schema }: TextRequest) => (structuredOutput ? (schema ?? null) : null);
  // A cached answer must have been read by this parser.
  const frameHash = oncePerTemplate((request) =>
    hashParts(PARSER_VERSION, sentSchema(request), request.template),
  );

  async function ask(
    records: readonly VisibleRecord[],
    task: Task,
    call: CallRef | undefined,
  ): Promise<BackendResponse[]> {
    const request = requestFor(records, task);
    const question = { template: request.template, task, records, model };
    if (records.length > 1) return batchRows(await send(request, call), question);
    try {
      return [singleRow(await send(request, call), question)];
    } catch (error) {
      if (error instanceof BackendError && error.fault === 'refused') return [filteredRow(error, question)];
      throw error;
    }
  }

  return {
    name: model,
    asksUrgency: true,
    // Where workers send questions is for them to check.
    destination: options.queue ? { ...destination, loopback: false, through: 'queue' } : destination,
    ...options.queue,
    transport: send,
    parameters,
    settings: { maxOutputTokens: options.maxOutputTokens, timeoutSeconds },
    cost: await resolvePrice(provider.priceTable, id, options.price),
    ...(bulk && { bulk }),
    ...(maxRetries !== undefined && { maxRetries }),
    ...(retryBaseSeconds !== undefined && { retryBaseSeconds }),
    ...(retryMaxSeconds !== undefined && { retryMaxSeconds }),
    evaluate: async (record, task, call) => (await ask([record], task, call))[0]!,
    evaluateBatch: ask,
    maxTokens: (records, task) => maxTextTokens(requestFor(records, task)),
    maxTextTokens,
    estimateTokens(records, task) {
      const { messages } = requestFor(records, task);
      const characters = messages.reduce((sum, { content }) => sum + content.length, 0);
      return {
        inputTokens: Math.ceil(characters / CHARACTERS_PER_TOKEN),
        outputTokens: records.length * OUTPUT_TOKENS_PER_ROW[reasoning ? 'reasoned' : 'plain'],
      };
    },
    requestHash(records, task) {
      const request = requestFor(records, task);
      const { template, messages } = request;
      const filled = messages.filter((message, i) => message !== template[i]);
      return hash('sha256', `${frameHash(request)}${JSON.stringify(filled)}`);
    },
    generate: async (request, call) => toTextReply(await send(request, call), model),
    textHash: (request) => hashParts(sentSchema(request), request.messages, request.maxOutputTokens),
  };
}

function toTextReply(reply: ModelReply, model: string): TextReply {
  if (reply.refusal === null && reply.text.trim() === '')
    throw ownError('empty', `${model}: the reply is empty`, { usage: reply.usage });
  return {
    text: reply.refusal ?? reply.text,
    ...reply.usage,
    ...(reply.modelId === null ? {} : { modelId: reply.modelId }),
    ...(reply.refusal === null ? {} : { refused: true }),
  };
}

/** Where data for the model go. */
function findDestination(provider: Provider, id: string, { url, isOwnHost }: ModelAccess): Destination {
  const isHere = isLoopback(url.hostname);
  const isForwarded = provider.forwards?.(id) ?? false;
  const loopback = isHere && !isForwarded;
  return {
    provider: provider.name,
    host: isHere && isForwarded ? (provider.forwardsTo ?? url.host) : url.host,
    loopback,
    ...(!loopback && !isOwnHost && { ownHost: false }),
  };
}

/** The most tokens of a request: no tokenizer makes more tokens of a text than it has bytes. */
function boundTokens(
  { reasoningTokens = 0 }: Provider,
  { structuredOutput, maxOutputTokens: usual, reasoningEffort = 'none' }: ReturnType<typeof completeOptions>,
) {
  return ({ messages, schema, maxOutputTokens = usual }: TextRequest): TokenUsage => ({
    inputTokens: messages.reduce(
      (sum, { content }) => sum + Buffer.byteLength(content),
      FRAME_TOKENS + (schema && structuredOutput ? schemaBytes(schema) : 0),
    ),
    outputTokens: maxOutputTokens + (reasoningEffort === 'none' ? 0 : reasoningTokens),
  });
}

/** The way to the model from here, and its bulk jobs. */
async function sendOverHttp(
  model: string,
  provider: Provider,
  access: ModelAccess,
  options: ReturnType<typeof completeOptions>,
): Promise<{ send: Transport; bulk?: NonNullable<Backend['bulk']> }> {
  const { env, timeoutSeconds } = options;
  const { url, secrets, keyVariables } = access;
  const isHere = isLoopback(url.hostname);
  // Loaded on demand: it is large, and most commands call no provider.
  const { poolFetch } = await import('./pool-fetch.ts');
  const { bulkWire } = await import('./bulk/bulk-access.ts');
  const pool = poolFetch({
    connections: options.connections,
    timeoutMs: timeoutSeconds * 1000,
    // Questions to this machine must not leave it through a proxy, also where a server here forwards them.
    ...(isHere ? {} : { env }),
  });
  const ask = await access.open(pool);
  const about = { model, provider: provider.name, host: url.host, timeoutSeconds, sendsKey: options.sendKey };
  const context = { ...about, keyVariables, secrets };
  const send: Transport = async (request, call) => {
    const exchange = call?.exchange;
    call?.made?.(exchange === undefined ? { via: 'http' } : { via: 'bulk', seconds: null });
    return askText(request, ask, options, context, exchange);
  };
  const shape = provider.bulk;
  if (shape === undefined) return { send };
  const wire = (call: WireRequest) => bulkWire(shape, call, { model, secrets, env: isHere ? {} : env });
  return { send, bulk: { wire } };
}

/** The settings that make another run. */
function identifyParameters(
  model: string,
  provider: string,
  { isUsualAddress, url }: ModelAccess,
  options: ReturnType<typeof completeOptions>,
) {
  return {
    provider,
    model,
    // Where the model is, as far as that makes another run.
    ...(options.endpoint !== undefined
      ? { endpoint: options.endpoint }
      : !isUsualAddress && { base_url: baseUrlText(url) }),
    temperature: options.temperature ?? null,
    reasoning_effort: options.reasoningEffort ?? null,
    max_output_tokens: options.maxOutputTokens,
    structured_output: options.structuredOutput,
    reasoning: options.reasoning,
    prompt_frame: promptFrameHash(options),
    ...(options.logprobs && { logprobs: true }),
  };
}

/** Only workers need the address of a model that is asked through a queue; here its name will do. */
function resolveAccess(
  provider: Provider,
  { endpoint, ...request }: ModelRequest & { readonly endpoint?: string | undefined },
): ModelAccess {
  try {
    return provider.access(request);
  } catch (error) {
    if (endpoint === undefined || !(error instanceof KrisisError && error.code === 'ERR_BASE_URL'))
      throw error;
    return provider.access({ ...request, baseUrl: new URL('http://workers.invalid/v1') });
  }
}

/** What follows from the parts that all questions of a task share, worked out once. */
function oncePerTemplate<T>(compute: (request: TextRequest) => T): (request: TextRequest) => T {
  const known = new WeakMap<TextRequest['template'], T>();
  return (request) => {
    const value = known.get(request.template) ?? compute(request);
    known.set(request.template, value);
    return value;
  };
}

/** Builds the request about the same records once: its bound, its hash and its text are asked for one after the other, and again when a call is retried. */
function keepRequests(form: Parameters<typeof buildRequest>[2]) {
  const kept = new WeakMap<
    VisibleRecord,
    { records: readonly VisibleRecord[]; task: Task; request: TextRequest }
  >();
  return (records: readonly VisibleRecord[], task: Task): TextRequest => {
    const [first] = records;
    const known = first && kept.get(first);
    const isSame =
      known?.task === task &&
      known.records.length === records.length &&
      known.records.every((record, i) => record === records[i]);
    if (isSame) return known.request;
    const request = buildRequest(records, task, form);
    if (first) kept.set(first, { records, task, request });
    return request;
  };
}

const schemaSizes = new WeakMap<object, number>();

function schemaBytes(schema: object): number {
  const bytes = schemaSizes.get(schema) ?? Buffer.byteLength(JSON.stringify(schema));
  schemaSizes.set(schema, bytes);
  return bytes;
}

/**
 * What tokens of a model cost in US dollars: by the price given, or by the table in `@pydantic/genai-prices`, which needs no network. Null where no price is known: an unknown
 * price is not 0. Cached input counts as fresh input, so the estimate is rather too high than too low.
 */
export async function resolvePrice(
  priceTable: string | undefined,
  modelId: string,
  price?: ApiOptions['price'],
): Promise<NonNullable<Backend['cost']>> {
  if (price !== undefined)
    return withKnownUsage((input, output) => (input * price.input + output * price.output) / 1e6);
  if (priceTable === undefined) return () => null;
  const { calcPrice } = await import('@pydantic/genai-prices');
  return withKnownUsage(
    (input, output) =>
      calcPrice({ input_tokens: input, output_tokens: output }, modelId, { providerId: priceTable })
        ?.total_price ?? null,
  );
}

function withKnownUsage(cost: (input: number, output: number) => number | null) {
  return ({ inputTokens, outputTokens }: TokenUsage) =>
    inputTokens === null || outputTokens === null ? null : cost(inputTokens, outputTokens);
}
