import type { ApiOptions } from '../../models/index.ts';
import type { KrisisConfig } from '../config/config.ts';
import type { KeyValues } from '../config/run-values.ts';
import type { ModelValues } from './run-options.ts';

/** The settings of a provider's model among the options of a command. */
export function apiOptions(given: ModelValues & NonNullable<KrisisConfig['run']> & KeyValues): ApiOptions {
  const { timeout, maxConcurrency } = given;
  const options = {
    baseUrl: given.baseUrl,
    sendKey: given.sendKey,
    endpoint: given.endpoint,
    temperature: given.temperature,
    reasoningEffort: given.reasoningEffort,
    maxOutputTokens: given.maxOutputTokens,
    timeoutSeconds: timeout,
    maxRetries: given.maxRetries,
    retryBaseSeconds: given.retryBaseSeconds,
    retryMaxSeconds: given.retryMaxSeconds,
    structuredOutput: given.structuredOutput,
    logprobs: given.logprobs,
    reasoning: given.reasoning,
    price: given.price,
    connections: typeof maxConcurrency === 'number' ? maxConcurrency : undefined,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
