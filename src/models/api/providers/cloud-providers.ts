import { KrisisError } from '../../../core/errors.ts';
import { baseUrlText } from '../base-url.ts';
import { openWithSdk } from '../sdk-model.ts';
import { openaiCallOptions } from './keyed-providers.ts';
import { addressIn, findKey, hostPart, needKey, optionalPackage, type Provider } from './provider.ts';

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
      open: openWithSdk(async (fetch) => {
        const { createAzure } = await optionalPackage(
          model,
          '@ai-sdk/azure@4.0.85',
          () => import('@ai-sdk/azure'),
        );
        const address = baseUrl === null ? { resourceName } : { baseURL: baseUrlText(baseUrl) };
        return createAzure({ apiKey, fetch, ...address }).chat(id);
      }, openaiCallOptions),
      hasLogprobs: true,
    };
  },
};

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
      open: openWithSdk(async (fetch) => {
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
      }),
    };
  },
};

/** With a key in express mode; otherwise by project and location, with the login of Google Cloud's own tools. */
export const vertex: Provider = {
  name: 'vertex',
  examples: ['gemini-2.5-flash'],
  priceTable: 'google',
  access: (request) => {
    const { model, id, env, baseUrl } = request;
    const key = findKey(request, ['GOOGLE_VERTEX_API_KEY']);
    const hasProject = Boolean(env.GOOGLE_VERTEX_PROJECT && env.GOOGLE_VERTEX_LOCATION);
    if (request.keyRequired && key === null && !hasProject)
      throw new KrisisError(
        `${model} needs access: set GOOGLE_VERTEX_PROJECT and GOOGLE_VERTEX_LOCATION and log in with Google Cloud (application default credentials), or set GOOGLE_VERTEX_API_KEY`,
        { code: 'ERR_API_KEY' },
      );
    const location = key === null && hasProject ? hostPart(request, 'GOOGLE_VERTEX_LOCATION') : 'global';
    return {
      url: baseUrl ?? new URL(`https://${buildHost(location)}`),
      isUsualAddress: baseUrl === null,
      isOwnHost: baseUrl === null,
      keyVariables: key === null ? ['GOOGLE_APPLICATION_CREDENTIALS'] : [key.variable],
      secrets: key === null ? [] : [key.value],
      open: openWithSdk(async (fetch) => {
        const { createGoogleVertex } = await optionalPackage(
          model,
          '@ai-sdk/google-vertex@5.0.98',
          () => import('@ai-sdk/google-vertex'),
        );
        return createGoogleVertex({
          apiKey: key?.value ?? '',
          location,
          project: env.GOOGLE_VERTEX_PROJECT ?? '',
          fetch,
          ...(baseUrl === null ? {} : { baseURL: baseUrlText(baseUrl) }),
        })(id);
      }),
    };
  },
};

function buildHost(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com';
  return location === 'eu' || location === 'us'
    ? `aiplatform.${location}.rep.googleapis.com`
    : `${location}-aiplatform.googleapis.com`;
}
