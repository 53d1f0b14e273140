import { baseUrlText } from '../base-url.ts';
import { openaiCallOptions } from './keyed-providers.ts';
import { optionalPackage } from './optional-package.ts';
import { hostPart, needKey, type Provider } from './provider.ts';

export const azure: Provider = {
  name: 'azure',
  bulk: 'azure',
  examples: ['o4-mini'],
  priceTable: 'azure',
  access: (request) => {
    const { variable, value: apiKey } = needKey(request, ['AZURE_API_KEY']);
    const { model, id, baseUrl } = request;
    const resourceName =
      baseUrl === null ? hostPart(request, 'AZURE_RESOURCE_NAME', ', or set the option baseUrl') : '';
    return {
      url: baseUrl ?? new URL(`https://${resourceName}.openai.azure.com/openai`),
      isUsualAddress: baseUrl === null,
      isOwnHost: baseUrl === null,
      keyVariables: [variable],
      secrets: [apiKey],
      load: async (fetch) => {
        const { createAzure } = await optionalPackage(
          model,
          '@ai-sdk/azure@4.0.85',
          () => import('@ai-sdk/azure'),
        );
        const address = baseUrl === null ? { resourceName } : { baseURL: baseUrlText(baseUrl) };
        return createAzure({ apiKey, fetch, ...address }).chat(id);
      },
      callOptions: openaiCallOptions,
      hasLogprobs: true,
    };
  },
};
