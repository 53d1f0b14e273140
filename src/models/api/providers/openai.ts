import { type CallLimits, keyedProvider } from './provider.ts';

/** OpenAI's chat completions API: every OpenAI model accepts it, and it stores nothing on the server. */
export const openai = keyedProvider({
  name: 'openai',
  priceTable: 'openai',
  keyVariables: ['OPENAI_API_KEY'],
  address: 'https://api.openai.com/v1',
  addressVariable: 'OPENAI_BASE_URL',
  load: async (settings, { id }) => (await import('@ai-sdk/openai')).createOpenAI(settings).chat(id),
  callOptions: openaiCallOptions,
});

/** Every model accepts `max_completion_tokens`; reasoning models refuse the older `max_tokens`, which the SDK sends to models it does not know. */
export function openaiCallOptions({ maxOutputTokens, reasoning }: CallLimits) {
  return {
    reasoning,
    providerOptions: {
      openai: { maxCompletionTokens: maxOutputTokens, strictJsonSchema: true, store: false },
    },
  };
}
