import { QueryClient } from '@tanstack/react-query';
import { FinalError } from './final-error.ts';
import type { Source } from './source.ts';

const RETRIES = 2;
const FIRST_RETRY_MS = 400;
/** A page that was left and opened again within this time does not load twice. */
const FRESH_MS = 1000;

/** The cache of everything the page has loaded. Failed requests are repeated before the reader hears of them; the files of an export never change, so each loads once. */
export function queryClient({ live }: Source): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A page from disk or from this machine's own server needs no network.
        networkMode: 'always',
        staleTime: live ? FRESH_MS : Number.POSITIVE_INFINITY,
        retry: (failures, error) => live && failures < RETRIES && !(error instanceof FinalError),
        retryDelay: (attempt) => FIRST_RETRY_MS * 2 ** attempt,
      },
    },
  });
}
