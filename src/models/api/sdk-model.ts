import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
} from '@ai-sdk/provider';
import type { Exchange } from './bulk/wire.ts';
import { countedTokens, type ModelReply, readReply, textOfParts, type WireBody } from './model-reply.ts';
import {
  type CallLimits,
  type ModelAccess,
  type ModelQuestion,
  NO_KEY,
  type RawReply,
} from './providers/provider.ts';

/** A model that is asked through an SDK. `callOptions`: how its provider takes the limits of a call. Default: as the SDK's own options. */
export function openWithSdk(
  load: (fetch: typeof globalThis.fetch) => Promise<LanguageModelV4>,
  callOptions: (limits: CallLimits) => Partial<LanguageModelV4CallOptions> = ({ logprobs: _, ...limits }) =>
    limits,
): ModelAccess['open'] {
  return async ({ fetch }) => {
    const language = await load(fetch);
    let exchanged: Promise<LanguageModelV4> | undefined;
    return async (question, exchange) => {
      const options = callOptions(question.limits);
      if (exchange === undefined) return generate(language, question, options);
      exchanged ??= load(exchangeFetch);
      const model = await exchanged;
      return exchanges.run(exchange, () => generate(model, question, options));
    };
  };
}

async function generate(
  language: LanguageModelV4,
  { messages, schema, temperature }: ModelQuestion,
  options: Partial<LanguageModelV4CallOptions>,
): Promise<RawReply> {
  const result = await language.doGenerate({
    prompt: messages.map(({ role, content }) =>
      role === 'system' ? { role, content } : { role, content: [{ type: 'text', text: content }] },
    ),
    ...(schema && { responseFormat: { type: 'json', name: 'answer', schema } }),
    ...(temperature === undefined ? {} : { temperature }),
    ...options,
  });
  return { reply: readResult(result), body: result.response?.body, ignored: ignoredOption(result.warnings) };
}

function readResult({ content, finishReason, usage, response }: LanguageModelV4GenerateResult): ModelReply {
  const body = (response?.body ?? {}) as WireBody;
  const text = textOfParts(content) || droppedText(body);
  const counted = countedTokens(usage.inputTokens.total, usage.outputTokens.total);
  return readReply(body, text, finishReason.unified, finishReason.raw, counted, response?.modelId);
}

/** Text that an Anthropic model wrote instead of the structured reply, which the SDK drops. */
function droppedText({ content }: WireBody): string {
  return Array.isArray(content) ? textOfParts(content) : '';
}

/** Names of the options that shape answers, by the feature an SDK names in its warning. */
const OPTIONS: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  reasoning: 'reasoningEffort',
  reasoningEffort: 'reasoningEffort',
};

/**
 * The first option that an SDK dropped or changed, as a sentence; null when it sent all of them. A run that states "temperature 0" must not have used another temperature,
 * so this stops it.
 */
export function ignoredOption(warnings: LanguageModelV4GenerateResult['warnings']): string | null {
  for (const warning of warnings) {
    if (warning.type !== 'unsupported' && warning.type !== 'compatibility') continue;
    const option = OPTIONS[warning.feature];
    if (option === undefined) continue;
    const why = warning.details === undefined ? '' : ` (${warning.details})`;
    return `this model does not accept ${option} as given${why}; leave it out or give another value`;
  }
  return null;
}

const exchanges = new AsyncLocalStorage<Exchange>();

/** A `fetch` whose network is the exchange of the call that it belongs to. */
const exchangeFetch: typeof globalThis.fetch = async (input, init = {}) => {
  const url = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
  const headers = Object.entries(plainHeaders(init.headers)).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  const { status, body } = await exchanges.getStore()!({
    url,
    body: String(init.body),
    headers: Object.fromEntries(headers),
  });
  return wholeReply(status, { 'content-type': 'application/json' }, Buffer.from(body));
};

/** Headers as an object, without those that would hold the key where no key is sent. */
export function plainHeaders(headers: RequestInit['headers'] = {}): Record<string, string> {
  const entries =
    Array.isArray(headers) || headers instanceof Headers
      ? [...headers]
      : Object.entries(headers as Record<string, string>);
  return Object.fromEntries(entries.filter(([, value]) => !value.includes(NO_KEY)));
}

/**
 * A complete reply in the shape of a `Response`: the SDKs read replies through `body.getReader()`, and the streams of a real `Response` cost more than the request itself.
 */
export function wholeReply(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): Response {
  const text = () => new TextDecoder().decode(body);
  const reply = {
    status,
    ok: status >= 200 && status < 300,
    statusText: '',
    // Names are already lower-case, so a Map serves for Headers.
    headers: new Map(Object.entries(headers)),
    body: { getReader: () => createReader(body), cancel: async () => {} },
    text: async () => text(),
    json: async () => JSON.parse(text()),
  };
  return Object.create(Response.prototype, Object.getOwnPropertyDescriptors(reply));
}

function createReader(body: Uint8Array) {
  const chunks = body.length === 0 ? [] : [body];
  return {
    read: async () => ({ done: chunks.length === 0, value: chunks.pop() }),
    cancel: async () => {},
    releaseLock: () => {},
  };
}

/**
 * xAI's SDK refuses a reply whose reasoning has no `status`. OpenAI's description of this API makes it optional, and servers that follow that leave it out, so it is filled in. Expects replies that can be read twice, as those of
 * `poolFetch`.
 */
export function withReasoningStatus(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const reply = await fetch(input, init);
    const filled = reply.ok ? fill(await reply.text()) : null;
    return filled === null
      ? reply
      : wholeReply(reply.status, Object.fromEntries(reply.headers), Buffer.from(filled));
  };
}

/** The body with the status filled in; null where none is missing. */
function fill(text: string): string | null {
  if (!text.includes('"reasoning"')) return null;
  let body: { readonly output?: unknown } | null;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(body?.output)) return null;
  const isMissing = (item: { type?: unknown; status?: unknown } | null) =>
    item?.type === 'reasoning' && item.status == null;
  if (!body.output.some(isMissing)) return null;
  const output = body.output.map((item) => (isMissing(item) ? { ...item, status: 'completed' } : item));
  return JSON.stringify({ ...body, output });
}
