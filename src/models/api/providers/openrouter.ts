import { chatCompletions } from './chat-completions.ts';
import { keyedProvider } from './provider.ts';

export const openrouter = keyedProvider({
  name: 'openrouter',
  priceTable: 'openrouter',
  keyVariables: ['OPENROUTER_API_KEY'],
  address: 'https://openrouter.ai/api/v1',
  load: (settings, request) => chatCompletions('openrouter', request, settings),
  // One form of effort for all models behind it: OpenRouter translates it for each of them.
  callOptions: ({ maxOutputTokens, reasoning }) => ({
    maxOutputTokens,
    ...(reasoning === 'provider-default'
      ? {}
      : { providerOptions: { openrouter: { reasoning: { effort: reasoning } } } }),
  }),
});
