import { KrisisError } from '../../core/index.ts';
import type { RunResult } from '../run-result.ts';
import type { RunThreshold, ThresholdChoice } from './run-threshold.ts';

/** The threshold of a run; throws where the run has no rows to choose one on. */
export function thresholdOf(
  result: Pick<RunResult, 'threshold' | 'backendName' | 'judging'>,
  choice: ThresholdChoice,
): RunThreshold {
  const found = result.threshold(choice);
  if (found !== null) return found;
  const why = result.judging === null ? 'this run has no rows' : 'answers of this run are texts';
  throw new KrisisError(`${result.backendName}: a threshold needs rows with labels and confidences; ${why}`, {
    code: 'ERR_NO_THRESHOLD',
    value: result.backendName,
  });
}
