import { deepSnakeKeys } from '../../core/index.ts';
import type { RunResult } from '../../results/index.ts';

/** Where confidence comes from, in file form: the source where it is not the stated one, and the sources side by side where the run has several. */
export function sourceObjects(report: RunResult): Record<string, unknown> {
  const found = report.sources();
  return {
    confidence_source: report.confidenceSource === 'stated' ? undefined : report.confidenceSource,
    confidence_sources: found ? deepSnakeKeys(found) : undefined,
  };
}
