import { nScored } from '../../core/index.ts';
import type { Warning } from '../../metrics/index.ts';
import { nUnscoredItems } from './judge-ledger.ts';
import type { QuestionReport } from './read-question-run.ts';

const FEW_QUESTIONS = 100;

/** What must be known before a comparison is quoted; what is wrong with single runs stands in their own reports. */
export function questionComparisonWarnings(
  reports: readonly QuestionReport[],
  names: readonly string[],
): Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: string, message: string) => warnings.push({ code, message });
  const judges = new Set(reports.map(({ judge }) => judge.names.join(', ') || 'nobody'));
  if (judges.size > 1)
    warn(
      'different_judges',
      `THE RUNS WERE NOT JUDGED BY THE SAME JUDGE (${[...judges].join('; ')}): a difference may come from the judge, not from the model. krisis judge adds one, and --judge chooses it.`,
    );
  const own = names.filter((_, r) => reports[r]!.warnings.some(({ code }) => code === 'self_judging'));
  if (own.length > 0) warn('self_judging', `Judged by the model itself, as it seems: ${own.join(', ')}.`);
  if (reports.some(({ judge }) => judge.calibration === null))
    warn(
      'judge_not_calibrated',
      'Judge not calibrated: nobody has compared its verdicts with those of people.',
    );
  const simulated = names.filter((_, r) => reports[r]!.extras.simulated);
  if (simulated.length > 0)
    warn(
      'simulated_model',
      `Simulated, so made up, and saying nothing about any real model: ${simulated.join(', ')}.`,
    );
  for (const [r, { status, ledger, judge }] of reports.entries()) {
    const nFailed = ledger.n - nScored(ledger);
    const nUnscored = nUnscoredItems(judge.ledger);
    if (status !== 'complete' || nFailed > 0 || nUnscored > 0)
      warn(
        'incomplete',
        `${names[r]}: ${status === 'complete' ? '' : `the run is ${status}; `}${nFailed} of ${ledger.n} rows failed or could not be judged, ${nUnscored} of ${judge.ledger.n} items are unscored.`,
      );
  }
  const n = Math.min(...reports.map(({ nQuestions }) => nQuestions));
  if (n < FEW_QUESTIONS)
    warn(
      'few_questions',
      `${n} questions: only large differences can be shown. What is not shown is not shown to be equal.`,
    );
  return warnings;
}
