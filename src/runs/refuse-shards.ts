import { KrisisError } from '../core/errors.ts';
import type { RunResult } from './run-result.ts';

/** A part of a run is not a sample of it that anyone chose: what is decided by scores waits for the merged run. */
export function refuseShards(results: readonly Pick<RunResult, 'path' | 'backendName' | 'shard'>[]): void {
  for (const { path, backendName, shard } of results)
    if (shard !== null)
      throw new KrisisError(
        `${path ?? backendName}: is part ${shard.index} of ${shard.of} of a run; merge all parts first`,
        { code: 'ERR_RUN_IS_SHARD', value: path },
      );
}
