import { type FailureProblem, failureWords, isFailureProblem } from '../core/fault.ts';
import { counted } from '../core/wording.ts';
import type { AskingAgain } from '../engine/ask-again.ts';
import type { FileRun } from '../engine/run-options.ts';
import { type GateVerdict, gateExitCode } from '../runs/conditions/verdict.ts';
import { failedLines } from '../runs/first-screen/how-sure.ts';
import type { RunSettings } from './config/run-values.ts';
import { EXIT } from './exit-codes.ts';
import { stopHint } from './hints.ts';
import { printMessage } from './print.ts';

const LARGER = 'a larger --max-output-tokens would ask again';

/** Problems whose rows the same command does not ask again, and what would. */
const LEFT: Partial<Record<FailureProblem, string | null>> = {
  truncated: LARGER,
  empty: LARGER,
  too_long: 'a smaller --max-output-tokens would ask again',
  refused: null,
  not_recorded: null,
};

/** What is printed before failed rows and judgements are asked again, or left. */
export function askingAgainText({ nRows, maxCostUsd, nJudgements, left }: AskingAgain): string {
  const cost = maxCostUsd ? ` (at most ${dollars(maxCostUsd)})` : '';
  const asked = [
    ...(nRows === 0
      ? []
      : [`asking ${counted(nRows, 'failed case')} again${cost}; --keep-failed leaves them`]),
    ...(nJudgements === 0
      ? []
      : [`asking for ${counted(nJudgements, 'failed judgement')} again; --keep-failed leaves them`]),
  ];
  const rest = Object.entries(left).map(([problem, n]) => {
    const why = isFailureProblem(problem) ? failureWords(problem).says : problem;
    const help = LEFT[problem as FailureProblem];
    return `not asking ${counted(n, 'failed case')} again: ${why}${help ? `; ${help}` : ''}`;
  });
  return [...asked, ...rest].map((line) => `${line}\n`).join('');
}

/** What to do about the failed rows of runs that have ended; empty where the same command would do nothing. */
export function failedRowsText(
  runs: readonly (Pick<FileRun, 'failures'> & Partial<Pick<FileRun, 'judging'>>)[],
): string {
  const nAgain = runs
    .flatMap(({ failures }) => failures)
    .filter(({ role, problem }) => role === 'model' && !(problem in LEFT))
    .reduce((sum, { nRows }) => sum + nRows, 0);
  const nItems = runs.reduce((sum, { judging }) => sum + (judging?.judge.ledger.judge_error ?? 0), 0);
  return [
    ...(nAgain === 0
      ? []
      : [`krisis: run the same command to ask the ${counted(nAgain, 'failed case')} again\n`]),
    ...(nItems === 0
      ? []
      : [`krisis: run the same command to ask again for ${counted(nItems, 'item')} without a verdict\n`]),
  ].join('');
}

/** Rounded up, since it is the most that is spent. */
function dollars(usd: number): string {
  const digits = usd < 0.01 ? 4 : 2;
  return `$${(Math.ceil(usd * 10 ** digits) / 10 ** digits).toFixed(digits)}`;
}

/** How a command that ran models or judges ends: its exit code, and what that code means here. */
export interface RunExit {
  readonly code: number;
  readonly because:
    | 'done'
    | 'condition_failed'
    | 'condition_undecided'
    | 'run_incomplete'
    | 'model_left_out'
    | 'interrupted';
}

/** Exit code 3 has two meanings. */
const MEANINGS: Partial<Record<RunExit['because'], string>> = {
  condition_failed: 'a condition failed',
  condition_undecided: 'a condition cannot be decided',
  run_incomplete: 'the run is incomplete',
  model_left_out: 'a model could not be used',
};

/** A failed gate outranks a model that could not be used, and that an incomplete run. */
export function runExit(
  runs: readonly FileRun[],
  settings: RunSettings,
  {
    isInterrupted = false,
    verdicts = [],
    nSkipped = 0,
  }: {
    readonly isInterrupted?: boolean;
    readonly verdicts?: readonly GateVerdict[];
    readonly nSkipped?: number;
  } = {},
): RunExit {
  if (isInterrupted) return { code: EXIT.interrupted, because: 'interrupted' };
  const gates = gateExitCode(verdicts);
  if (gates === EXIT.found) return { code: EXIT.found, because: 'condition_failed' };
  if (nSkipped > 0) return { code: EXIT.usage, because: 'model_left_out' };
  if (runs.some((run) => isIncomplete(run, settings))) return { code: EXIT.open, because: 'run_incomplete' };
  return gates === EXIT.open
    ? { code: EXIT.open, because: 'condition_undecided' }
    : { code: EXIT.done, because: 'done' };
}

/** Failed rows of a run that stopped early are in its verdict: the worst case was taken. */
function isIncomplete({ status, n, nScored }: FileRun, { failOnError = 0 }: RunSettings): boolean {
  return (
    status !== 'stopped_early' && (status !== 'complete' || (n - nScored) / Math.max(1, n) > failOnError)
  );
}

/**
 * Ends a command that ran models or judges: sets the exit code, and says on standard error what it means, what is missing and what would
 * ask for it. Where standard output is one document, the causes of what failed are said here too.
 */
export function finishRuns(
  runs: readonly FileRun[],
  settings: RunSettings,
  exit: RunExit,
  { isDocument = false }: { readonly isDocument?: boolean } = {},
): void {
  process.exitCode = exit.code;
  if (isDocument)
    for (const run of runs)
      for (const line of failedLines(run)) printMessage(`krisis: ${run.backendName}: ${line}\n`);
  if (exit.because === 'interrupted') return;
  if (runs.some((run) => isIncomplete(run, settings))) for (const run of runs) printHints(run, settings);
  printMessage(failedRowsText(runs));
  const meaning = MEANINGS[exit.because];
  if (meaning !== undefined) printMessage(`exit code ${exit.code}: ${meaning}\n`);
}

/** What to do about a run that stopped or has failed rows. */
function printHints(
  { stoppedBecause, n, nScored, ledger, execution }: FileRun,
  { verbose }: RunSettings,
): void {
  const hint = stopHint(stoppedBecause ?? '');
  if (hint !== null) printMessage(`krisis: ${hint}\n`);
  if (stoppedBecause?.startsWith('budget:') && execution.unsettledUsd)
    printMessage(
      'krisis: --set releaseUnsettled=true frees the budget that an earlier start left reserved\n',
    );
  if (stoppedBecause?.startsWith('rate_limit:'))
    printMessage(
      'krisis: krisis ops waits shows such waits; --set ignoreWaits=true forgets this one, and --set maxRetryAfter=SECONDS allows longer ones\n',
    );
  if (stoppedBecause?.startsWith('programming_error:') && !verbose)
    printMessage("krisis: --verbose shows where in the backend's code\n");
  const failed = n - nScored - ledger.not_run;
  if (failed > 0)
    printMessage(`krisis: ${failed} of ${n} cases failed (--fail-on-error 0.05 would tolerate 5 %)\n`);
}
