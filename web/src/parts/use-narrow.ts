import { useSyncExternalStore } from 'react';

/** The same as in the style sheet. */
const QUERY = '(max-width: 760px)';

/** Whether the screen is narrow, for what the style sheet cannot do alone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(QUERY).matches);
}

function subscribe(changed: () => void): () => void {
  const query = window.matchMedia(QUERY);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}
