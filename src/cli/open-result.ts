import { sourceError } from '../analyses/confidence-sources/source-rows.ts';
import { KrisisError, readRows } from '../core/index.ts';
import { recordRows } from '../runs/import/record-rows.ts';
import type { ReadRunOptions } from '../runs/read-options.ts';
import { openRun } from '../runs/read-run.ts';
import type { RunResult } from '../runs/run-result.ts';
import { RunFile } from '../store/index.ts';
import { aboutRows } from './saved-rows.ts';
import { isRunFile } from './score-baseline.ts';

const ROWS = /\.(csv|tsv|tab|jsonl?|ndjson|parquet|pq)$/i;

/** The result of a run file, or of a file of rows, which is scored in memory. */
export async function openResult(path: string, options: ReadRunOptions): Promise<RunResult> {
  if (!ROWS.test(path) || isRunFile(path)) return openRun(path, options);
  const { level, cluster, actLabels, confidenceFrom = 'stated', exclude } = options;
  if (exclude !== undefined)
    throw new KrisisError(
      `${path}: a file of rows has no suite whose records could be excluded; leave the rows out of the file`,
      { code: 'ERR_EXCLUSIONS', value: path },
    );
  if (confidenceFrom !== 'stated')
    throw sourceError(confidenceFrom, 'a file of rows has stated confidences only');
  const scoring = {
    ...(level !== undefined && { level }),
    ...(cluster !== undefined && { cluster }),
    ...(actLabels !== undefined && { actLabels }),
  };
  const recorder = recordRows(RunFile.inMemory(), { ...(await aboutRows(path)), scoring });
  await readRows(path, (row) => recorder.add(row), { actLabels });
  return recorder.finish();
}
