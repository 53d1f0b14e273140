import { type FailureProblem, failureWords, isFailureProblem } from '../core/index.ts';
import type { AskingAgain, FileRun } from '../engine/index.ts';

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
    ...(nRows === 0 ? [] : [`asking ${failedRows(nRows)} again${cost}; --keep-failed leaves them`]),
    ...(nJudgements === 0
      ? []
      : [`asking for ${failedJudgements(nJudgements)} again; --keep-failed leaves them`]),
  ];
  const rest = Object.entries(left).map(([problem, n]) => {
    const why = isFailureProblem(problem) ? failureWords(problem).says : problem;
    const help = LEFT[problem as FailureProblem];
    return `not asking ${failedRows(n)} again: ${why}${help ? `; ${help}` : ''}`;
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
  const items = nItems === 1 ? '1 item' : `${nItems} items`;
  return [
    ...(nAgain === 0 ? [] : [`krisis: run the same command to ask the ${failedRows(nAgain)} again\n`]),
    ...(nItems === 0 ? [] : [`krisis: run the same command to ask again for ${items} without a verdict\n`]),
  ].join('');
}

function failedRows(n: number): string {
  return n === 1 ? '1 failed row' : `${n} failed rows`;
}

function failedJudgements(n: number): string {
  return n === 1 ? '1 failed judgement' : `${n} failed judgements`;
}

/** Rounded up, since it is the most that is spent. */
function dollars(usd: number): string {
  const digits = usd < 0.01 ? 4 : 2;
  return `$${(Math.ceil(usd * 10 ** digits) / 10 ** digits).toFixed(digits)}`;
}
