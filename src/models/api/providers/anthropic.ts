import { keyedProvider } from './provider.ts';

export const anthropic = keyedProvider({
  name: 'anthropic',
  priceTable: 'anthropic',
  keyVariables: ['ANTHROPIC_API_KEY'],
  address: 'https://api.anthropic.com/v1',
  addressVariable: 'ANTHROPIC_BASE_URL',
  load: async (settings, { id }) => (await import('@ai-sdk/anthropic')).createAnthropic(settings)(id),
});
