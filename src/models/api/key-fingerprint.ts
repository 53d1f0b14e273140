import { createHmac } from 'node:crypto';
import type { Environment } from './api-options.ts';
import { parseBaseUrl } from './base-url.ts';
import { findProvider } from './providers/providers.ts';

const LABEL = 'krisis account';
const LENGTH = 12;

/**
 * Tells the accounts of one host apart without showing their keys: the same for two processes that use the same key. Null where the model is called without one.
 */
export function keyFingerprint(
  model: string,
  { baseUrl, env = process.env }: { readonly baseUrl?: string | undefined; readonly env?: Environment },
): string | null {
  const { id, provider } = findProvider(model);
  const { secrets } = provider.access({
    model,
    id,
    baseUrl: baseUrl === undefined ? null : parseBaseUrl(baseUrl, 'baseUrl'),
    env,
    sendsKey: true,
    structuredOutput: true,
    keyRequired: true,
  });
  // The first names the account; a session token beside it changes every hour.
  const [key] = secrets;
  return key === undefined ? null : createHmac('sha256', LABEL).update(key).digest('hex').slice(0, LENGTH);
}
