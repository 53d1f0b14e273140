import { relative } from 'node:path';
import type { FileRun } from '../benchmark/run-to-file.ts';
import { runWarnings } from '../benchmark/run-warnings.ts';
import { scorecardObject } from '../metrics/scorecard-object.ts';
import { descriptionObject } from '../suites/description-json.ts';

/** What `krisis run --json` prints: the object of the one run, or all of them under `runs`. */
export function runsJson(runs: readonly { readonly model: string; readonly run: FileRun }[]): string {
  const objects = runs.map(({ model, run }) => {
    const { ledger, metrics, subgroups, method } = scorecardObject(run.card);
    return {
      run_file: relative('.', run.path),
      status: run.status,
      suite: descriptionObject(run.description),
      model,
      ledger,
      metrics,
      subgroups,
      execution: run.extras,
      warnings: runWarnings(run),
      method,
    };
  });
  return `${JSON.stringify(objects.length === 1 ? objects[0] : { runs: objects }, null, 2)}\n`;
}
