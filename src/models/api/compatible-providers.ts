import { KrisisError } from '../../core/index.ts';
import type { Environment } from './api-options.ts';
import { baseUrlText, parseBaseUrl } from './base-url.ts';
import { direct } from './direct-providers.ts';
import { findKey, type ModelRequest, type Provider } from './provider.ts';

export const openrouter: Provider = (request) => {
  const { key, ...access } = direct(request, ['OPENROUTER_API_KEY'], 'https://openrouter.ai/api/v1');
  return {
    ...access,
    load: compatible('openrouter', request, access.url, key),
    // One form of effort for all models behind it; it is turned into what each of them takes.
    callOptions: ({ maxOutputTokens, reasoning }) => ({
      maxOutputTokens,
      ...(reasoning === 'provider-default'
        ? {}
        : { providerOptions: { openrouter: { reasoning: { effort: reasoning } } } }),
    }),
  };
};

const OLLAMA_PORT = '11434';
const OLLAMA = `http://127.0.0.1:${OLLAMA_PORT}/v1`;

export const ollama: Provider = (request) => {
  const url = request.baseUrl ?? ollamaAddress(request.env);
  if (url.pathname === '/') url.pathname = '/v1';
  return {
    url,
    isUsualAddress: baseUrlText(url) === OLLAMA,
    keyVariables: [],
    secrets: [],
    load: compatible('ollama', request, url),
  };
};

/** `OLLAMA_HOST` is what Ollama's own tools read: a host, a port or both, with or without http://. */
function ollamaAddress({ OLLAMA_BASE_URL, OLLAMA_HOST }: Environment): URL {
  if (OLLAMA_BASE_URL) return parseBaseUrl(OLLAMA_BASE_URL, 'OLLAMA_BASE_URL');
  if (!OLLAMA_HOST) return new URL(OLLAMA);
  if (OLLAMA_HOST.includes('://')) return reachable(parseBaseUrl(OLLAMA_HOST, 'OLLAMA_HOST'));
  const host = OLLAMA_HOST.startsWith(':') ? `127.0.0.1${OLLAMA_HOST}` : OLLAMA_HOST;
  const url = parseBaseUrl(`http://${host}`, 'OLLAMA_HOST');
  if (!/:\d+$/.test(host)) url.port = OLLAMA_PORT;
  return reachable(url);
}

/** For a server, 0.0.0.0 means that it listens everywhere; for its client, this machine. */
function reachable(url: URL): URL {
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1';
  return url;
}

/** Any server that speaks chat completions: vLLM, llama.cpp, LM Studio, a hospital's gateway. */
export const openaiCompatible: Provider = (request) => {
  const { OPENAI_COMPATIBLE_BASE_URL } = request.env;
  const url =
    request.baseUrl ??
    (OPENAI_COMPATIBLE_BASE_URL
      ? parseBaseUrl(OPENAI_COMPATIBLE_BASE_URL, 'OPENAI_COMPATIBLE_BASE_URL')
      : null);
  if (url === null)
    throw new KrisisError(
      `${request.model} needs an address: give --base-url, e.g. http://127.0.0.1:8000/v1, or set OPENAI_COMPATIBLE_BASE_URL`,
    );
  const key = findKey(request.env, ['OPENAI_COMPATIBLE_API_KEY']);
  return {
    url,
    isUsualAddress: false,
    keyVariables: ['OPENAI_COMPATIBLE_API_KEY'],
    secrets: key === null ? [] : [key.value],
    load: compatible('openai-compatible', request, url, key?.value),
  };
};

function compatible(name: string, { id, structuredOutput }: ModelRequest, url: URL, apiKey?: string) {
  return async (fetch: typeof globalThis.fetch) => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({
      name,
      baseURL: baseUrlText(url),
      fetch,
      // Without it the SDK keeps the schema to itself.
      supportsStructuredOutputs: structuredOutput,
      ...(apiKey === undefined ? {} : { apiKey }),
    }).chatModel(id);
  };
}
