import type { NewReviewLabel, ReviewSession } from '../api.ts';

/** Keeps labels that were not acknowledged in the browser's storage, so that closing the page does not lose them. Of protected suites nothing is kept there. */
export function unsavedLabels(session: ReviewSession): {
  readonly left: readonly NewReviewLabel[];
  readonly keep: (waiting: readonly NewReviewLabel[]) => void;
} {
  if (session.protected) return { left: [], keep: () => undefined };
  const key = `krisis-review ${session.id}`;
  return {
    left: read(key),
    keep: (waiting) => {
      try {
        if (waiting.length === 0) localStorage.removeItem(key);
        else localStorage.setItem(key, JSON.stringify(waiting));
      } catch {
        // Without storage the labels are in memory, and leaving the page warns.
      }
    },
  };
}

function read(key: string): NewReviewLabel[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}
