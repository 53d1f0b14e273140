import { openChatCompletions } from '../chat-completions.ts';
import { openWithSdk, withReasoningStatus } from '../sdk-model.ts';
import {
  type CallLimits,
  type KeyedProvider,
  keyedProvider,
  type Provider,
  TOP_LOGPROBS,
} from './provider.ts';

/** Every model accepts `max_completion_tokens`; reasoning models refuse the older `max_tokens`, which the SDK sends to models it does not know. */
export function openaiCallOptions({ maxOutputTokens, reasoning, logprobs }: CallLimits) {
  return {
    reasoning,
    providerOptions: {
      openai: {
        maxCompletionTokens: maxOutputTokens,
        strictJsonSchema: true,
        store: false,
        ...(logprobs && { logprobs: TOP_LOGPROBS }),
      },
    },
  };
}

const DEFINITIONS: readonly KeyedProvider[] = [
  // OpenAI's chat completions API: every OpenAI model accepts it, and it stores nothing on the server.
  {
    name: 'openai',
    bulk: 'openai',
    examples: ['gpt-5-mini', 'gpt-5.5'],
    priceTable: 'openai',
    keyVariables: ['OPENAI_API_KEY'],
    address: 'https://api.openai.com/v1',
    addressVariable: 'OPENAI_BASE_URL',
    open: (settings, { id }) =>
      openWithSdk(
        async (fetch) => (await import('@ai-sdk/openai')).createOpenAI({ ...settings, fetch }).chat(id),
        openaiCallOptions,
      ),
    hasLogprobs: true,
  },
  {
    name: 'anthropic',
    bulk: 'anthropic',
    examples: ['claude-haiku-4-5', 'claude-sonnet-4-5', 'claude-opus-5'],
    priceTable: 'anthropic',
    // The SDK adds a budget for thinking to `max_tokens`, up to what the model can write.
    reasoningTokens: 128_000,
    keyVariables: ['ANTHROPIC_API_KEY'],
    address: 'https://api.anthropic.com/v1',
    addressVariable: 'ANTHROPIC_BASE_URL',
    open: (settings, { id }) =>
      openWithSdk(async (fetch) =>
        (await import('@ai-sdk/anthropic')).createAnthropic({ ...settings, fetch })(id),
      ),
  },
  {
    name: 'google',
    bulk: 'google',
    examples: ['gemini-2.5-flash', 'gemini-2.5-pro'],
    aliases: ['gemini'],
    priceTable: 'google',
    keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    address: 'https://generativelanguage.googleapis.com/v1beta',
    open: (settings, { id }) =>
      openWithSdk(async (fetch) => (await import('@ai-sdk/google')).createGoogle({ ...settings, fetch })(id)),
  },
  // xAI's Responses API, because xAI retires chat completions. By default it stores questions for thirty days, so `store` is off.
  {
    name: 'xai',
    bulk: 'xai',
    examples: ['grok-4.3'],
    aliases: ['grok'],
    priceTable: 'x-ai',
    keyVariables: ['XAI_API_KEY'],
    address: 'https://api.x.ai/v1',
    open: (settings, { id }) =>
      openWithSdk(
        async (fetch) =>
          (await import('@ai-sdk/xai'))
            .createXai({ ...settings, fetch: withReasoningStatus(fetch) })
            .responses(id),
        ({ logprobs, ...limits }) => ({
          ...limits,
          // xAI lists at most eight.
          providerOptions: { xai: { store: false, ...(logprobs && { logprobs: true, topLogprobs: 8 }) } },
        }),
      ),
    hasLogprobs: true,
  },
  {
    name: 'openrouter',
    examples: ['anthropic/claude-sonnet-4.5', 'openai/gpt-5-mini'],
    priceTable: 'openrouter',
    keyVariables: ['OPENROUTER_API_KEY'],
    address: 'https://openrouter.ai/api/v1',
    // One form of effort for all models behind it: OpenRouter translates it for each of them.
    open: (settings, { id }) => openChatCompletions(id, settings, (effort) => ({ reasoning: { effort } })),
    hasLogprobs: true,
  },
];

/** The providers that need one key and have one address. */
export const KEYED_PROVIDERS: readonly Provider[] = DEFINITIONS.map(keyedProvider);
