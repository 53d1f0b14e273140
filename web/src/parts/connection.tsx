import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** Says that the data on the page are old, while loading newer ones fails. */
export function Connection() {
  const cache = useQueryClient().getQueryCache();
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(
    () =>
      cache.subscribe(() => {
        const stale = cache
          .getAll()
          .find(
            (query) => query.isActive() && query.state.status === 'error' && query.state.data !== undefined,
          );
        setProblem(stale?.state.error?.message ?? null);
      }),
    [cache],
  );
  if (problem === null) return null;
  return (
    <p className="notice" role="status">
      The page shows older data: {problem}
    </p>
  );
}
