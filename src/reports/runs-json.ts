import { relative } from 'node:path';
import type { GateVerdict } from '../benchmark/gates/verdict.ts';
import type { FileRun } from '../benchmark/run-to-file.ts';
import { runWarnings } from '../benchmark/run-warnings.ts';
import { scorecardObject } from '../metrics/scorecard-object.ts';
import { descriptionObject } from '../suites/description-json.ts';

/** What `krisis run --json` prints: the object of the one run, or all of them under `runs`; conditions under `gates`. */
export function runsJson(
  runs: readonly { readonly model: string; readonly run: FileRun }[],
  verdicts: readonly GateVerdict[] = [],
): string {
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
  const whole = objects.length === 1 ? objects[0] : { runs: objects };
  const gates = verdicts.length === 0 ? {} : { gates: verdicts };
  return `${JSON.stringify({ ...whole, ...gates }, null, 2)}\n`;
}
