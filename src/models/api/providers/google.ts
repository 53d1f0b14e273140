import { keyedProvider } from './provider.ts';

export const google = keyedProvider({
  name: 'google',
  aliases: ['gemini'],
  priceTable: 'google',
  keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  address: 'https://generativelanguage.googleapis.com/v1beta',
  load: async (settings, { id }) => (await import('@ai-sdk/google')).createGoogle(settings)(id),
});
