import { RUNS_FOLDER } from './find-run.ts';
import { listRuns } from './list-runs.ts';

/** The runs that belong with the newest one in a folder: those of the same suite (the same hash), the newest of each model and arm, oldest first. */
export function lastRuns(folder = RUNS_FOLDER): string[] {
  const [newest, ...others] = listRuns(folder).runs;
  if (newest === undefined) return [];
  const alike = others.filter(
    ({ suite, suiteHash }) => suite === newest.suite && suiteHash === newest.suiteHash,
  );
  const byModel = Map.groupBy([newest, ...alike], ({ model, arm }) => JSON.stringify([model, arm]));
  return [...byModel.values()].map(([first]) => first!.path).reverse();
}
