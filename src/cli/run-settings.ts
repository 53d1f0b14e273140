import type { ApiOptions } from '../models/api/api-options.ts';
import type { Backend } from '../models/backend.ts';
import { readSigningKey } from '../store/keys.ts';
import { openProviderWaits } from '../store/provider-waits.ts';
import { CACHE_FILE, ResponseCache } from '../store/response-cache.ts';
import type { RunSettings } from './config/run-values.ts';
import { printMessage } from './print.ts';

/** How calls are made, what they may cost and where data may go. */
export function callSettings(settings: RunSettings) {
  return {
    maxConcurrency: settings.maxConcurrency ?? ('auto' as const),
    requestsPerMinute: settings.rpm,
    tokensPerMinute: settings.tpm,
    budgetUsd: settings.budget,
    releaseUnsettled: settings.releaseUnsettled,
    maxRetryAfterSeconds: settings.maxRetryAfter,
    ignoreWaits: settings.ignoreWaits,
    allowEgress: settings.allowEgress ?? [],
    signKey: readSignKey(settings.signKey),
  };
}

/** The key that signs the run: as typed or configured, else from the environment, where it is a file or the key itself. */
export function readSignKey(source = process.env.KRISIS_SIGN_KEY) {
  return source ? readSigningKey(source) : undefined;
}

/** How a provider's model is asked. */
export function apiOptions(settings: RunSettings): ApiOptions {
  return withShared(settings, {
    baseUrl: settings.baseUrl,
    sendKey: settings.sendKey,
    endpoint: settings.endpoint,
    temperature: settings.temperature,
    reasoningEffort: settings.reasoningEffort,
    maxOutputTokens: settings.maxOutputTokens,
    timeoutSeconds: settings.timeout,
    structuredOutput: settings.structuredOutput,
    logprobs: settings.logprobs,
    reasoning: settings.reasoning,
    price: settings.price,
  });
}

/** How the judge is asked. The settings of the model are never the judge's, so that no key is sent to the other's address. */
export function judgeApiOptions(settings: RunSettings): ApiOptions {
  return withShared(settings, {
    baseUrl: settings.judgeBaseUrl,
    sendKey: settings.judgeSendKey,
    temperature: settings.judgeTemperature,
    reasoningEffort: settings.judgeReasoningEffort,
    maxOutputTokens: settings.judgeMaxOutputTokens,
    timeoutSeconds: settings.judgeTimeout,
    structuredOutput: settings.judgeStructuredOutput,
    price: settings.judgePrice,
  });
}

/** Adds the settings that model and judge share; those that are not set are left out. */
function withShared(
  settings: RunSettings,
  options: { readonly [K in keyof ApiOptions]?: ApiOptions[K] | undefined },
): ApiOptions {
  const { maxRetries, retryBaseSeconds, retryMaxSeconds, maxConcurrency } = settings;
  const connections = typeof maxConcurrency === 'number' ? maxConcurrency : undefined;
  const all = { ...options, maxRetries, retryBaseSeconds, retryMaxSeconds, connections };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** What several runs share: known replies, and waits that providers asked for. Only where a provider is asked at all. */
export function openShared(backends: readonly Backend[], useCache: boolean) {
  const isRemote = backends.some(({ destination }) => destination !== undefined);
  const warn = (message: string) => printMessage(`krisis: ${message}\n`);
  const cache = isRemote && useCache ? ResponseCache.open(CACHE_FILE, warn) : undefined;
  const waits = isRemote ? openProviderWaits() : undefined;
  return {
    cache,
    waits,
    close: () => {
      cache?.close();
      waits?.close();
    },
  };
}
