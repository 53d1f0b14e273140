import { snakeKeys } from '../../core/index.ts';
import type { RunResult } from '../../results/index.ts';

/** Where confidence comes from, in file form: the source where it is not the stated one, and the sources side by side where the run has several. */
export function sourceObjects(report: RunResult): Record<string, unknown> {
  const found = report.sources();
  return {
    confidence_source: report.confidenceSource === 'stated' ? undefined : report.confidenceSource,
    confidence_sources: found
      ? {
          ...snakeKeys(found),
          tokens: found.tokens && snakeKeys(found.tokens),
          sources: found.sources.map(snakeKeys),
          differences: found.differences.map(({ auroc, ...difference }) => ({
            ...snakeKeys(difference),
            auroc: auroc && snakeKeys(auroc),
          })),
        }
      : undefined,
  };
}
