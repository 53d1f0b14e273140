import type { Backend } from '../models/index.ts';
import { CACHE_FILE, openProviderWaits, ResponseCache } from '../store/index.ts';
import { printMessage } from './print.ts';

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
