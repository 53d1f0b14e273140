import { KrisisError } from '../../../core/index.ts';
import { baseUrlText } from '../base-url.ts';
import { optionalPackage } from './optional-package.ts';
import { addressIn, findKey, hostPart, type Provider } from './provider.ts';

export const bedrock: Provider = {
  name: 'bedrock',
  examples: ['global.anthropic.claude-haiku-4-5-20251001-v1:0'],
  priceTable: 'aws',
  // As for Anthropic; for Nova the SDK drops the cap at high effort.
  reasoningTokens: 128_000,
  access: (request) => {
    const { model, id, env } = request;
    const token = findKey(request, ['AWS_BEARER_TOKEN_BEDROCK']);
    const accessKey = findKey(request, ['AWS_ACCESS_KEY_ID']);
    const secret = findKey(request, ['AWS_SECRET_ACCESS_KEY']);
    const session = findKey(request, ['AWS_SESSION_TOKEN']);
    if (request.keyRequired && token === null && (accessKey === null || secret === null))
      throw new KrisisError(
        `${model} needs a key: set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
        { code: 'ERR_API_KEY' },
      );
    const region = hostPart(request, 'AWS_REGION');
    const usual = new URL(
      `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`,
    );
    const url =
      request.baseUrl ??
      addressIn(env, 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME') ??
      addressIn(env, 'AWS_ENDPOINT_URL') ??
      usual;
    const keys = (token === null ? [accessKey, secret, session] : [token]).filter((key) => key !== null);
    return {
      url,
      isUsualAddress: url === usual,
      isOwnHost: url.origin === usual.origin,
      keyVariables: keys.map(({ variable }) => variable),
      secrets: keys.map(({ value }) => value),
      load: async (fetch) => {
        const { createAmazonBedrock } = await optionalPackage(
          model,
          '@ai-sdk/amazon-bedrock@5.0.101',
          () => import('@ai-sdk/amazon-bedrock'),
        );
        const signed = {
          accessKeyId: accessKey?.value ?? '',
          secretAccessKey: secret?.value ?? '',
          ...(session === null ? {} : { sessionToken: session.value }),
        };
        // An empty key means none; if it were left out, the SDK would look for its own.
        const access = token === null ? { apiKey: '', ...signed } : { apiKey: token.value };
        return createAmazonBedrock({ region, baseURL: baseUrlText(url), fetch, ...access })(id);
      },
    };
  },
};
