import { keyedProvider } from './provider.ts';

/** xAI's Responses API, because xAI retires chat completions. By default it stores questions for thirty days, so `store` is off. */
export const xai = keyedProvider({
  name: 'xai',
  aliases: ['grok'],
  priceTable: 'x-ai',
  keyVariables: ['XAI_API_KEY'],
  address: 'https://api.x.ai/v1',
  load: async (settings, { id }) => (await import('@ai-sdk/xai')).createXai(settings).responses(id),
  callOptions: (limits) => ({ ...limits, providerOptions: { xai: { store: false } } }),
});
