import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { KrisisError } from '../core/index.ts';
import { listRuns } from './list-runs.ts';

export const RUNS_FOLDER = '.krisis/runs';

/** Finds the run file a user means: by path, by file name in the runs folder, or by a part of the name that matches one run only. */
export function findRun(typed: string, folder = RUNS_FOLDER): string {
  for (const candidate of [typed, join(folder, typed), join(folder, `${typed}.db`)])
    if (existsSync(candidate)) return candidate;
  const fitting = listRuns(folder).runs.filter(({ path }) => path.includes(typed));
  if (fitting.length === 1) return fitting[0]!.path;
  const which =
    fitting.length === 0
      ? 'no such run'
      : `${fitting.length} runs match: ${fitting.map(({ path }) => path).join(', ')}`;
  throw new KrisisError(`${typed}: ${which}`, { code: 'ERR_RUN_NOT_FOUND', value: typed });
}
