import { KrisisError } from '../../../core/index.ts';
import { baseUrlText } from '../base-url.ts';
import { chatAccess, chatCompletions } from './chat-completions.ts';
import { addressIn, findKey, type Provider } from './provider.ts';

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
      ...chatAccess('openaiCompatible'),
      load: (fetch) =>
        chatCompletions('openai-compatible', request, {
          baseURL: baseUrlText(url),
          fetch,
          ...(key && { apiKey: key.value }),
        }),
    };
  },
};
