import type { FileRun } from '../engine/index.ts';
import { type GateVerdict, gateExitCode } from '../runs/conditions/verdict.ts';
import { stopHint } from './hints.ts';
import type { LeftOut } from './left-out.ts';
import { printMessage } from './print.ts';

const USAGE = 2;
const INCOMPLETE = 3;
const INTERRUPTED = 130;

/** The exit code of a command that ran models or judges, after saying on standard error why it is not 0. A failed gate outranks a model that could not be used, and that an incomplete run. */
export function exitCode(
  runs: readonly FileRun[],
  options: {
    readonly verdicts?: readonly GateVerdict[];
    /** Models that could not be used. Default: none. */
    readonly leftOut?: readonly LeftOut[];
    /** The share of rows that may fail. */
    readonly allowed: number;
    readonly isInterrupted: boolean;
    /** Whether the stack of an error was shown already. Default: false. */
    readonly isVerbose?: boolean | undefined;
  },
): number {
  if (options.isInterrupted) return INTERRUPTED;
  const gates = gateExitCode(options.verdicts ?? []);
  const incomplete = runs.filter(
    // Failed rows of a run that stopped early are in its verdict: the worst case was taken.
    ({ status, n, nScored }) =>
      status !== 'stopped_early' &&
      (status !== 'complete' || (n - nScored) / Math.max(1, n) > options.allowed),
  );
  // A command that did not do all it was asked to must not look like success.
  const rest = options.leftOut?.length ? USAGE : INCOMPLETE;
  if (incomplete.length === 0) return gates === 1 || !options.leftOut?.length ? gates : rest;
  for (const { status, stoppedBecause, n, nScored, ledger, execution } of runs) {
    if (status === 'stopped') printMessage(`krisis: stopped: ${stoppedBecause}\n`);
    const hint = stopHint(stoppedBecause ?? '');
    if (hint !== null) printMessage(`krisis: ${hint}\n`);
    if (stoppedBecause?.startsWith('budget:') && execution.unsettledUsd)
      printMessage('krisis: --release-unsettled frees the budget that an earlier start left reserved\n');
    if (stoppedBecause?.startsWith('rate_limit:'))
      printMessage(
        'krisis: krisis waits shows such waits; --ignore-waits forgets this one, and --max-retry-after SECONDS allows longer ones\n',
      );
    if (stoppedBecause?.startsWith('programming_error:') && !options.isVerbose)
      printMessage("krisis: --verbose shows where in the backend's code\n");
    const failed = n - nScored - ledger.not_run;
    if (failed > 0)
      printMessage(`krisis: ${failed} of ${n} rows failed (--fail-on-error 0.05 would tolerate 5 %)\n`);
  }
  return gates === 1 ? gates : rest;
}
