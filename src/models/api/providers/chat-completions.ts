import { KrisisError } from '../../../core/errors.ts';
import type { Environment } from '../api-options.ts';
import { baseUrlText, isLoopback, parseBaseUrl } from '../base-url.ts';
import { openChatCompletions } from '../chat-completions.ts';
import { addressIn, findKey, type Provider } from './provider.ts';

const PORT = '11434';
const USUAL = `http://127.0.0.1:${PORT}/v1`;

export const ollama: Provider = {
  name: 'ollama',
  forwardsTo: 'ollama.com',
  examples: ['llama3.2'],
  // Ollama forwards questions to its cloud models to its own servers, wherever it listens.
  // Its names ignore case, and a tag or a digest may follow.
  forwards: (id) => /[:-]cloud(?=$|[:@/\s])/i.test(id),
  access: (request) => {
    const url = request.baseUrl ?? addressIn(request.env, 'OLLAMA_BASE_URL') ?? hostIn(request.env);
    if (url.pathname === '/') url.pathname = '/v1';
    const baseURL = baseUrlText(url);
    return {
      url,
      isUsualAddress: baseURL === USUAL,
      isOwnHost: isLoopback(url.hostname),
      keyVariables: [],
      secrets: [],
      hasLogprobs: true,
      open: openChatCompletions(request.id, { baseURL }),
    };
  },
};

/** Ollama's own tools read `OLLAMA_HOST`: a host, a port or both, with or without http://. */
function hostIn({ OLLAMA_HOST }: Environment): URL {
  if (!OLLAMA_HOST) return new URL(USUAL);
  if (OLLAMA_HOST.includes('://')) return reachable(parseBaseUrl(OLLAMA_HOST, 'OLLAMA_HOST'));
  const host = OLLAMA_HOST.startsWith(':') ? `127.0.0.1${OLLAMA_HOST}` : OLLAMA_HOST;
  const url = parseBaseUrl(`http://${host}`, 'OLLAMA_HOST');
  if (!/:\d+$/.test(host)) url.port = PORT;
  return reachable(url);
}

/** To a server 0.0.0.0 means every interface; to its client it means this machine. */
function reachable(url: URL): URL {
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1';
  return url;
}

/** Any server that speaks chat completions: vLLM, llama.cpp, LM Studio, a hospital's gateway. */
export const openaiCompatible: Provider = {
  name: 'openai-compatible',
  bulk: 'openai',
  examples: ['my-model'],
  access: (request) => {
    const url = request.baseUrl ?? addressIn(request.env, 'OPENAI_COMPATIBLE_BASE_URL');
    if (url === null)
      throw new KrisisError(
        `${request.model} needs an address: set OPENAI_COMPATIBLE_BASE_URL or the option baseUrl, e.g. to http://127.0.0.1:8000/v1`,
        { code: 'ERR_BASE_URL' },
      );
    const key = findKey(request, ['OPENAI_COMPATIBLE_API_KEY']);
    return {
      url,
      isUsualAddress: false,
      isOwnHost: false,
      keyVariables: ['OPENAI_COMPATIBLE_API_KEY'],
      secrets: key ? [key.value] : [],
      hasLogprobs: true,
      open: openChatCompletions(request.id, {
        baseURL: baseUrlText(url),
        ...(key && { apiKey: key.value }),
      }),
    };
  },
};
