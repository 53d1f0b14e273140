import { withSchema } from '../../core/json-schema.ts';
import type { FileRun } from '../../engine/run-options.ts';
import type { GateVerdict } from '../../runs/conditions/verdict.ts';
import type { RunExit } from '../run-outcome.ts';
import { getTaskKind, PRINTED_KINDS } from './run-kinds.ts';

interface LeftOut {
  readonly model: string;
  readonly code: string;
  readonly message: string;
}

/** What became of the models of one suite: their runs, their conditions, and those that could not be used. */
export type RunsOutcome = readonly [
  runs: readonly FileRun[],
  verdicts: readonly GateVerdict[],
  leftOut: readonly LeftOut[],
];

/** What `krisis run --json` prints: the object of the one run, or all of them under `runs`; conditions under `gates`, and under `exit` what the exit code means. */
export function runsJson(
  runs: readonly FileRun[],
  {
    verdicts = [],
    leftOut = [],
    exit,
  }: {
    readonly verdicts?: readonly GateVerdict[];
    readonly leftOut?: readonly LeftOut[];
    readonly exit?: RunExit;
  } = {},
): string {
  const objects = runs.map((run) => PRINTED_KINDS[getTaskKind(run)].object(run));
  const whole = objects.length + leftOut.length === 1 ? objects[0] : { runs: objects };
  const others = leftOut.length === 0 ? {} : { left_out: leftOut };
  const gates = verdicts.length === 0 ? {} : { gates: verdicts };
  return `${JSON.stringify(withSchema('run', { ...whole, ...others, ...gates, ...(exit && { exit }) }), null, 2)}\n`;
}
