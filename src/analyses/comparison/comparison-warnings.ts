import { scoredUnit } from '../../metrics/scored-unit.ts';
import type { Warning } from '../../metrics/warning.ts';
import { collector, harmWarnings } from '../../metrics/warnings.ts';
import type { RunResult } from '../../runs/run-result.ts';
import { verificationAlert } from '../../runs/unproven-file.ts';
import { nUnscoredItems } from '../judging/judge-ledger.ts';
import { disagreementText } from '../judging/judge-standing.ts';
import { isJudged } from '../judging/judged-result.ts';
import type { Judging } from '../judging/judging.ts';
import type { PairedComparison } from './comparison.ts';

/** The code of a warning about a run file. It comes before every number. */
export const FILE_NOT_VERIFIED = 'file_not_verified';
const FEW_RECORDS = 400;
const FEW_QUESTIONS = 100;

/** Warnings of single runs that a comparison words for all of them. */
const WORDED_TOGETHER: ReadonlySet<string> = new Set([
  'simulated_model',
  'incomplete',
  'stopped',
  'stopped_early',
  'unscored_rows',
  'few_rows',
  'few_questions',
  'self_judging',
  'judge_not_calibrated',
  'review_unreadable',
  'ece_within_noise',
]);

/** What must be known before a comparison is quoted: whether there is anything to compare, what each model does that can harm, then what qualifies the numbers. */
export function comparisonWarnings(
  results: readonly RunResult[],
  names: readonly string[],
  pairs: readonly PairedComparison[],
): Warning[] {
  const { warnings, warn } = collector();
  const judgings = results.flatMap(({ judging }) => judging ?? []);
  for (const [r, result] of results.entries()) {
    const alert = verificationAlert(result);
    if (alert !== null) warn(FILE_NOT_VERIFIED, `${names[r]}: ${alert}`);
  }
  for (const [r, { reviewProblem }] of results.entries())
    if (reviewProblem !== null)
      warn(
        'review_unreadable',
        `The labels of people on ${names[r]} cannot be read, and are in no number: ${reviewProblem}`,
      );
  const hashes = new Set(results.flatMap(({ suiteHash }) => suiteHash ?? []));
  if (hashes.size > 1)
    warn(
      'different_suites',
      `DIFFERENT CASES: ${whyDifferentRecords(results.filter(({ suiteHash }) => suiteHash !== null))}. Only cases with the same id and truth are paired, and it is not known whether they show the same.`,
    );
  warnings.push(...comparedHarms(results, names));
  const arms = new Set(results.flatMap(({ arm, suiteHash }) => (suiteHash === null ? [] : (arm ?? []))));
  if (arms.size > 1)
    warn(
      'different_arms',
      `The question was put in different ways (arms ${[...arms].join(', ')}): a difference may come from the arm, not from the model.`,
    );
  if (askedDifferently(results))
    warn(
      'different_prompts',
      'The models were not asked in the same words (another version of the prompt, or replies without reasoning): a difference may come from the prompt, not from the model.',
    );
  const taskless = names.filter((_, r) => results[r]!.imported !== null && results[r]!.task === null);
  if (taskless.length > 0)
    warn(
      'task_not_stated',
      `The task is not stated, so it may be another than that of the other runs: ${taskless.join(', ')}. It can be stated on import.`,
    );
  warnings.push(...judgeWarnings(judgings));
  const own = names.filter((_, r) => results[r]!.warnings.some(({ code }) => code === 'self_judging'));
  if (own.length > 0) warn('self_judging', `Apparently judged by the model itself: ${own.join(', ')}.`);
  const simulated = names.filter((_, r) => results[r]!.execution.simulated);
  if (simulated.length > 0)
    warn(
      'simulated_model',
      `Simulated, so made up, and saying nothing about any real model: ${simulated.join(', ')}.`,
    );
  for (const [r, { status, ledger }] of results.entries())
    if (status === 'stopped_early')
      warn(
        'stopped_early',
        `${names[r]} stopped early: it is compared on the cases that it was asked about only, and where it stopped depends on its answers. Intervals and p-values are for a fixed number of cases, and do not hold after an early stop; a difference is no ranking, and which run stopped first says nothing (${ledger.n - ledger.not_run} of ${ledger.n} cases asked).`,
      );
  for (const [r, { status, n, nScored, judging, ledger, card }] of results.entries()) {
    const nUnasked = status === 'stopped_early' ? ledger.not_run : 0;
    if (status === 'stopped_early' && n - nUnasked === nScored) continue;
    const nItems = judging?.judge.ledger.n ?? 0;
    const nOpen = judging ? nUnscoredItems(judging.judge.ledger) : 0;
    if (status === 'complete' && n === nScored && nOpen === 0) continue;
    const missing = judging
      ? `${n - nScored} of ${n} cases failed or could not be judged, ${nOpen} of ${nItems} items are unscored`
      : `${n - nScored} of ${n} ${scoredUnit(card)}s failed or never ran and are not scored`;
    warn('incomplete', `${names[r]}: ${status === 'complete' ? '' : `the run is ${status}; `}${missing}.`);
  }
  const nQuestions = Math.min(...results.map(({ nRecords }) => nRecords));
  if (judgings.length > 0 && nQuestions < FEW_QUESTIONS)
    warn(
      'few_questions',
      `${nQuestions} questions: only large differences can be shown. What is not shown is not shown to be equal.`,
    );
  for (const { model, nPaired } of judgings.length > 0 ? [] : pairs)
    if (nPaired < FEW_RECORDS)
      warn(
        'few_records',
        `${model}: ${nPaired} cases are paired; comparing models takes at least ${FEW_RECORDS}.`,
      );
  return [...warnings, ...ownWarnings(results, names, new Set(warnings.map(({ code }) => code)))];
}

/** What each model does that can harm. Missed emergencies of any model come before everything else. */
export function comparedHarms(
  results: readonly Pick<RunResult, 'card'>[],
  names: readonly string[],
): Warning[] {
  const harms = results.flatMap(({ card }, r) =>
    harmWarnings(card).map(({ code, message }) => ({ code, message: `${names[r]}: ${message}` })),
  );
  const isMissed = ({ code }: Warning) => code === 'missed_emergencies';
  return [...harms.filter(isMissed), ...harms.filter((harm) => !isMissed(harm))];
}

/** The other warnings of the runs, with the names of the models: one for each that has the same text. */
function ownWarnings(
  results: readonly RunResult[],
  names: readonly string[],
  given: ReadonlySet<string>,
): Warning[] {
  const own = results.flatMap(({ warnings }, r) =>
    warnings
      .filter(({ code }) => !WORDED_TOGETHER.has(code) && !given.has(code))
      .map(({ code, message }) => ({ code, message, name: names[r]! })),
  );
  return [...Map.groupBy(own, ({ message }) => message)].map(([message, same]) => {
    const models = same.map(({ name }) => name);
    return { code: same[0]!.code, message: `${models.join(', ')}: ${message}`, models };
  });
}

/** Whether models that were asked for labels were asked in different wording. A model without a prompt has nothing to differ in. */
function askedDifferently(results: readonly RunResult[]): boolean {
  const frames = results.flatMap((run) => (isJudged(run) ? [] : (run.parameters.prompt_frame ?? [])));
  return new Set(frames).size > 1;
}

function judgeWarnings(judgings: readonly Judging[]): Warning[] {
  const { warnings, warn } = collector();
  const judges = new Set(judgings.map(({ judge }) => judge.names.join(', ') || 'none'));
  if (judges.size > 1)
    warn(
      'different_judges',
      `THE RUNS WERE NOT JUDGED BY THE SAME JUDGE (${[...judges].join('; ')}): a difference may come from the judge, not from the model. Judge all of them by one judge.`,
    );
  const refuted = judgings.filter(({ judge }) => judge.status === 'refuted');
  for (const text of new Set(refuted.map(({ judge }) => disagreementText(judge))))
    warn(
      'judge_refuted',
      `Judge refuted: ${text}. What it judged is called higher or lower, not better or worse; compare scores corrected by people's labels.`,
    );
  if (judgings.some(({ judge }) => judge.calibration === null))
    warn(
      'judge_not_calibrated',
      'Judge not calibrated: its verdicts have not been compared with those of people.',
    );
  return warnings;
}

/**
 * Why runs do not have the same records, as a clause. Two versions or limits of one suite are not different suites.
 *
 * @param noun What the runs have in common otherwise: `records`, or `questions or rubrics`.
 */
export function whyDifferentRecords(
  runs: readonly { readonly suiteName: string; readonly suiteHash: string | null }[],
  noun = 'cases',
): string {
  const names = [...new Set(runs.map(({ suiteName }) => suiteName))];
  if (names.length > 1) return `the runs are of different suites (${names.join(', ')})`;
  if (runs.some(({ suiteHash }) => suiteHash === null))
    return `it is not known whether the runs have the same ${noun}`;
  return `the runs have different ${noun} of ${names[0]}`;
}
