import type { Environment } from './api-options.ts';
import { baseUrlText, parseBaseUrl } from './base-url.ts';
import { type ModelAccess, type ModelRequest, needKey, type Provider } from './provider.ts';

/** Chat completions: what every model there takes, and what keeps nothing on the server. */
export const openai: Provider = (request) => {
  const { key, ...access } = direct(
    request,
    ['OPENAI_API_KEY'],
    'https://api.openai.com/v1',
    'OPENAI_BASE_URL',
  );
  return {
    ...access,
    load: async (fetch) => {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ apiKey: key, baseURL: baseUrlText(access.url), fetch }).chat(request.id);
    },
    callOptions: openaiCallOptions,
  };
};

/** All models know `max_completion_tokens`; the older `max_tokens`, which the SDK sends to names that it does not know, is refused by those that reason. */
export const openaiCallOptions: NonNullable<ModelAccess['callOptions']> = ({
  maxOutputTokens,
  reasoning,
}) => ({
  reasoning,
  providerOptions: {
    openai: { maxCompletionTokens: maxOutputTokens, strictJsonSchema: true, store: false },
  },
});

export const anthropic: Provider = (request) => {
  const { key, ...access } = direct(
    request,
    ['ANTHROPIC_API_KEY'],
    'https://api.anthropic.com/v1',
    'ANTHROPIC_BASE_URL',
  );
  return {
    ...access,
    load: async (fetch) => {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ apiKey: key, baseURL: baseUrlText(access.url), fetch })(request.id);
    },
  };
};

export const google: Provider = (request) => {
  const { key, ...access } = direct(
    request,
    ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    'https://generativelanguage.googleapis.com/v1beta',
  );
  return {
    ...access,
    load: async (fetch) => {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle({ apiKey: key, baseURL: baseUrlText(access.url), fetch })(request.id);
    },
  };
};

/** The Responses API, since xAI gives up chat completions; it keeps questions for thirty days unless told not to. */
export const xai: Provider = (request) => {
  const { key, ...access } = direct(request, ['XAI_API_KEY'], 'https://api.x.ai/v1');
  return {
    ...access,
    load: async (fetch) => {
      const { createXai } = await import('@ai-sdk/xai');
      return createXai({ apiKey: key, baseURL: baseUrlText(access.url), fetch }).responses(request.id);
    },
    callOptions: (limits) => ({ ...limits, providerOptions: { xai: { store: false } } }),
  };
};

/**
 * Key and address. The address is always handed to the SDK: left alone, it would look for variables of its own, and questions could go elsewhere than was said.
 */
export function direct(
  request: ModelRequest,
  keyVariables: readonly string[],
  usual: string,
  addressVariable?: string,
) {
  const { variable, value: key } = needKey(request, keyVariables);
  const url = request.baseUrl ?? addressFrom(request.env, addressVariable, usual);
  return { key, url, isUsualAddress: baseUrlText(url) === usual, keyVariables: [variable], secrets: [key] };
}

function addressFrom(env: Environment, variable: string | undefined, usual: string): URL {
  const set = variable === undefined ? undefined : env[variable];
  if (!set) return new URL(usual);
  const url = parseBaseUrl(set, variable!);
  // Some tools take such a variable without the version, the SDKs with it.
  if (url.pathname === '/') url.pathname = new URL(usual).pathname;
  return url;
}
