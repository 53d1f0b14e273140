import { KrisisError } from '../../core/index.ts';
import { refuseShards } from '../../runs/refuse-shards.ts';
import type { RunResult } from '../../runs/run-result.ts';
import type { RunThreshold, ThresholdChoice } from './run-threshold.ts';

/** The threshold of a run; throws where the run has no rows to choose one on, stopped early, or is a part of a divided one. */
export function thresholdOf(
  result: Pick<RunResult, 'threshold' | 'status' | 'backendName' | 'judging' | 'path' | 'shard'>,
  choice: ThresholdChoice,
): RunThreshold {
  refuseShards([result]);
  const found = result.threshold(choice);
  if (found !== null) return found;
  if (result.status === 'stopped_early')
    throw new KrisisError(
      `${result.backendName}: no threshold after an early stop: its exact tests need a number of records that was fixed beforehand, and this run ended because of its answers; choose the threshold on a run that asks all records`,
      { code: 'ERR_NO_THRESHOLD', value: result.backendName },
    );
  const why = result.judging === null ? 'this run has no rows' : 'answers of this run are texts';
  throw new KrisisError(`${result.backendName}: a threshold needs rows with labels and confidences; ${why}`, {
    code: 'ERR_NO_THRESHOLD',
    value: result.backendName,
  });
}
