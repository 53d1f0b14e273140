import type { RunPayload } from './api.ts';
import { compareTexts } from './filter-records.ts';

/** What a reader can choose from, each list in reading order. */
export function inReadingOrder({
  facets,
  subgroups,
}: Pick<RunPayload, 'facets' | 'subgroups'>): Pick<RunPayload, 'facets' | 'subgroups'> {
  return {
    facets: {
      outcome: sorted(facets.outcome),
      label: sorted(facets.label),
      prediction: sorted(facets.prediction),
      stage: sorted(facets.stage),
      reason: sorted(facets.reason),
    },
    subgroups: Object.fromEntries(Object.entries(subgroups).map(([key, values]) => [key, sorted(values)])),
  };
}

function sorted(values: readonly string[]): string[] {
  return [...values].sort(compareTexts);
}
