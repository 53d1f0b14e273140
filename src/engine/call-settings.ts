import type { Backend } from '../models/backend.ts';
import type { CallSettings } from '../store/call.ts';
import { retriesOf } from './retry-policy.ts';

/** Settings that can differ between the calls of a run. */
export function settingsOf(backend: Backend): CallSettings | null {
  const { settings } = backend;
  if (settings === undefined) return null;
  return {
    ...(settings.maxOutputTokens !== undefined && { max_output_tokens: settings.maxOutputTokens }),
    ...(settings.timeoutSeconds !== undefined && { timeout_seconds: settings.timeoutSeconds }),
    max_retries: retriesOf(backend),
  };
}
