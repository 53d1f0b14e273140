import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { KrisisError } from '../core/index.ts';
import { listRuns } from './list-runs.ts';

export const RUNS_FOLDER = '.krisis/runs';

/** The run file meant by what a user typed: a path, a file name in the runs folder, or a part of one that fits only one run. */
export function findRun(typed: string, folder = RUNS_FOLDER): string {
  for (const candidate of [typed, join(folder, typed), join(folder, `${typed}.db`)])
    if (existsSync(candidate)) return candidate;
  const fitting = listRuns(folder).runs.filter(({ path }) => path.includes(typed));
  if (fitting.length === 1) return fitting[0]!.path;
  const which =
    fitting.length === 0
      ? 'no such run'
      : `${fitting.length} runs fit: ${fitting.map(({ path }) => path).join(', ')}`;
  throw new KrisisError(`${typed}: ${which}; krisis list shows those there are`, { value: typed });
}
