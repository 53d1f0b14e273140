import { notifyManager, type QueryCache, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';

/** Says that the data on the page are old, while loading newer ones fails. */
export function Connection() {
  const cache = useQueryClient().getQueryCache();
  // Queries are added while other components render, when nothing may be told to render again: hence a batch afterwards.
  const subscribe = useCallback(
    (changed: () => void) => cache.subscribe(notifyManager.batchCalls(changed)),
    [cache],
  );
  const problem = useSyncExternalStore(subscribe, () => findProblem(cache));
  if (problem === null) return null;
  return (
    <p className="notice" role="status">
      The page shows older data: {problem}
    </p>
  );
}

function findProblem(cache: QueryCache): string | null {
  const stale = cache
    .getAll()
    .find((query) => query.isActive() && query.state.status === 'error' && query.state.data !== undefined);
  return stale?.state.error?.message ?? null;
}
