import { relative } from 'node:path';
import type { FileRun } from '../../engine/index.ts';
import { scorecardObject } from '../../metrics/index.ts';
import type { GateVerdict } from '../../runs/conditions/verdict.ts';
import { failureObjects, metricsObject, stopEarlyObject } from '../../runs/formats/json.ts';

/** What `krisis run --json` prints: the object of the one run, or all of them under `runs`; conditions under `gates`. */
export function runsJson(
  runs: readonly FileRun[],
  verdicts: readonly GateVerdict[] = [],
  leftOut: readonly { readonly model: string; readonly code: string; readonly message: string }[] = [],
): string {
  const objects = runs.map((run) => {
    const asked = run.nothingAsked ? { nothing_asked: true } : {};
    if (run.judging !== null) return { ...metricsObject(run), ...asked };
    const { ledger, metrics, subgroups, method } = scorecardObject(run.card);
    return {
      run_file: relative('.', run.path),
      status: run.status,
      ...asked,
      ...(run.stopEarly && { stop_early: stopEarlyObject(run.stopEarly) }),
      suite: run.suite,
      model: run.backendName,
      ledger,
      metrics,
      subgroups,
      execution: run.extras,
      warnings: run.warnings,
      ...failureObjects(run),
      method,
    };
  });
  const whole = objects.length + leftOut.length === 1 ? objects[0] : { runs: objects };
  const others = leftOut.length === 0 ? {} : { left_out: leftOut };
  const gates = verdicts.length === 0 ? {} : { gates: verdicts };
  return `${JSON.stringify({ ...whole, ...others, ...gates }, null, 2)}\n`;
}
