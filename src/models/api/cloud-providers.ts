import { KrisisError } from '../../core/index.ts';
import type { Environment } from './api-options.ts';
import { baseUrlText, parseBaseUrl } from './base-url.ts';
import { openaiCallOptions } from './direct-providers.ts';
import { optionalPackage } from './optional-package.ts';
import { findKey, type ModelRequest, needKey, type Provider } from './provider.ts';

export const azure: Provider = (request) => {
  const { variable, value: apiKey } = needKey(request, ['AZURE_API_KEY']);
  const { model, id, baseUrl } = request;
  const resource = baseUrl === null ? hostPart(request, 'AZURE_RESOURCE_NAME', ' or give --base-url') : '';
  return {
    url: baseUrl ?? new URL(`https://${resource}.openai.azure.com/openai`),
    isUsualAddress: baseUrl === null,
    keyVariables: [variable],
    secrets: [apiKey],
    load: async (fetch) => {
      const { createAzure } = await optionalPackage(
        model,
        '@ai-sdk/azure',
        '4.0.85',
        () => import('@ai-sdk/azure'),
      );
      const address = baseUrl === null ? { resourceName: resource } : { baseURL: baseUrlText(baseUrl) };
      return createAzure({ apiKey, fetch, ...address }).chat(id);
    },
    callOptions: openaiCallOptions,
  };
};

export const bedrock: Provider = (request) => {
  const { model, id, env } = request;
  const token = findKey(env, ['AWS_BEARER_TOKEN_BEDROCK']);
  const accessKey = findKey(env, ['AWS_ACCESS_KEY_ID']);
  const secret = findKey(env, ['AWS_SECRET_ACCESS_KEY']);
  const session = findKey(env, ['AWS_SESSION_TOKEN']);
  if (token === null && (accessKey === null || secret === null))
    throw new KrisisError(
      `${model} needs a key: set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
    );
  const region = hostPart(request, 'AWS_REGION');
  const usual = new URL(
    `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`,
  );
  const url = request.baseUrl ?? awsAddress(env) ?? usual;
  const keys = token === null ? [accessKey, secret, session] : [token];
  return {
    url,
    isUsualAddress: url === usual,
    keyVariables: keys.flatMap((key) => (key === null ? [] : [key.variable])),
    secrets: keys.flatMap((key) => (key === null ? [] : [key.value])),
    load: async (fetch) => {
      const { createAmazonBedrock } = await optionalPackage(
        model,
        '@ai-sdk/amazon-bedrock',
        '5.0.101',
        () => import('@ai-sdk/amazon-bedrock'),
      );
      const signed = {
        accessKeyId: accessKey?.value ?? '',
        secretAccessKey: secret?.value ?? '',
        ...(session === null ? {} : { sessionToken: session.value }),
      };
      // An empty key is one that was not given; without it the SDK would look for its own.
      const access = token === null ? { apiKey: '', ...signed } : { apiKey: token.value };
      return createAmazonBedrock({ region, baseURL: baseUrlText(url), fetch, ...access })(id);
    },
  };
};

function awsAddress({
  AWS_ENDPOINT_URL_BEDROCK_RUNTIME: own,
  AWS_ENDPOINT_URL: all,
}: Environment): URL | null {
  if (own) return parseBaseUrl(own, 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME');
  return all ? parseBaseUrl(all, 'AWS_ENDPOINT_URL') : null;
}

/** With a key in express mode; else by project and place, with the login of Google Cloud's own tools. */
export const vertex: Provider = (request) => {
  const { model, id, env, baseUrl } = request;
  const key = findKey(env, ['GOOGLE_VERTEX_API_KEY']);
  if (key === null && !(env.GOOGLE_VERTEX_PROJECT && env.GOOGLE_VERTEX_LOCATION))
    throw new KrisisError(
      `${model} needs access: set GOOGLE_VERTEX_PROJECT and GOOGLE_VERTEX_LOCATION and log in with Google Cloud (application default credentials), or set GOOGLE_VERTEX_API_KEY`,
    );
  const place = key === null ? hostPart(request, 'GOOGLE_VERTEX_LOCATION') : 'global';
  return {
    url: baseUrl ?? new URL(`https://${vertexHost(place)}`),
    isUsualAddress: baseUrl === null,
    keyVariables: key === null ? ['GOOGLE_APPLICATION_CREDENTIALS'] : [key.variable],
    secrets: key === null ? [] : [key.value],
    load: async (fetch) => {
      const { createGoogleVertex } = await optionalPackage(
        model,
        '@ai-sdk/google-vertex',
        '5.0.98',
        () => import('@ai-sdk/google-vertex'),
      );
      return createGoogleVertex({
        apiKey: key?.value ?? '',
        location: place,
        project: env.GOOGLE_VERTEX_PROJECT ?? '',
        fetch,
        ...(baseUrl === null ? {} : { baseURL: baseUrlText(baseUrl) }),
      })(id);
    },
  };
};

function vertexHost(place: string): string {
  if (place === 'global') return 'aiplatform.googleapis.com';
  return place === 'eu' || place === 'us'
    ? `aiplatform.${place}.rep.googleapis.com`
    : `${place}-aiplatform.googleapis.com`;
}

/** A variable that becomes part of a host name, and so must not be able to name another host. */
function hostPart({ model, env }: ModelRequest, variable: string, or = ''): string {
  const value = env[variable]?.trim() ?? '';
  if (value === '') throw new KrisisError(`${model} needs ${variable}: set it${or}`);
  if (!/^[a-z0-9-]+$/i.test(value))
    throw new KrisisError(`${variable} holds more than letters, digits and hyphens; set it again`);
  return value;
}
