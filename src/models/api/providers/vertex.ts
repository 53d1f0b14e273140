import { KrisisError } from '../../../core/index.ts';
import { baseUrlText } from '../base-url.ts';
import { optionalPackage } from './optional-package.ts';
import { findKey, hostPart, type Provider } from './provider.ts';

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
      url: baseUrl ?? new URL(`https://${hostOf(location)}`),
      isUsualAddress: baseUrl === null,
      isOwnHost: baseUrl === null,
      keyVariables: key === null ? ['GOOGLE_APPLICATION_CREDENTIALS'] : [key.variable],
      secrets: key === null ? [] : [key.value],
      load: async (fetch) => {
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
      },
    };
  },
};

function hostOf(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com';
  return location === 'eu' || location === 'us'
    ? `aiplatform.${location}.rep.googleapis.com`
    : `${location}-aiplatform.googleapis.com`;
}
