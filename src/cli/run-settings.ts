import type { Backend } from '../models/index.ts';
import { CACHE_FILE, openProviderWaits, ResponseCache } from '../store/index.ts';
import type { RunValues } from './options/run-options.ts';
import { printMessage } from './print.ts';
import { signKeyOf } from './sign-key.ts';

type CallValues = Pick<
  RunValues,
  | 'maxConcurrency'
  | 'rpm'
  | 'tpm'
  | 'budget'
  | 'releaseUnsettled'
  | 'maxRetryAfter'
  | 'ignoreWaits'
  | 'allowEgress'
  | 'signKey'
>;

/** How calls are made, what they may cost and where data may go: as typed, then by the config, then by default. */
export function callSettings(given: CallValues) {
  return {
    maxConcurrency: given.maxConcurrency ?? ('auto' as const),
    requestsPerMinute: given.rpm,
    tokensPerMinute: given.tpm,
    budgetUsd: given.budget,
    releaseUnsettled: given.releaseUnsettled,
    maxRetryAfterSeconds: given.maxRetryAfter,
    ignoreWaits: given.ignoreWaits,
    allowEgress: given.allowEgress ?? [],
    signKey: signKeyOf(given),
  };
}

/** What several runs share: known replies, and waits that providers asked for. Only where a provider is asked at all. */
export function openShared(backends: readonly Backend[], useCache: boolean) {
  const isRemote = backends.some(({ destination }) => destination !== undefined);
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

function warn(message: string): void {
  printMessage(`krisis: ${message}\n`);
}
