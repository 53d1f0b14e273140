import type { Warning } from '../../metrics/index.ts';
import { LEXICAL_JUDGE } from '../../models/index.ts';
import type { QuestionReport } from './question-report.ts';

const FEW_QUESTIONS = 100;
const HIGH_UNSCORED_SHARE = 0.05;

/** What a reader must know before quoting a number of a run of open questions. */
export function questionWarnings(
  report: Omit<QuestionReport, 'warnings'>,
  nLabels: number | null,
): Warning[] {
  const { judge, ledger, nQuestions, status, stoppedBecause, recorded, extras } = report;
  const warnings: Warning[] = [];
  const warn = (code: string, message: string) => warnings.push({ code, message });
  if (recorded !== null)
    warn(
      'recorded_answers',
      `The answers were recorded elsewhere (${recorded.source}): nobody was asked here.`,
    );
  if (extras.simulated)
    warn(
      'simulated_model',
      'A simulated model: its answers are made up, and say nothing about any real one.',
    );
  if (status === 'running') warn('incomplete', 'The run is still going on: scores are of what is finished.');
  if (status === 'interrupted')
    warn('incomplete', 'The run was interrupted: scores are of what is finished.');
  if (status === 'stopped')
    warn('stopped', `The run stopped (${stoppedBecause}); scores are of what is finished.`);
  warnings.push(...judgeWarnings(report, nLabels));
  const nFailed = ledger.n - ledger.answered - ledger.abstained - ledger.refused;
  if (nFailed > 0)
    warn(
      'unscored_rows',
      `${rows(nFailed)} failed, never ran or could not be judged; bounds show what they could have changed.`,
    );
  if (ledger.refused > 0)
    warn(
      'refused_rows',
      `${rows(ledger.refused)} ended in a refusal: nothing was said, so every item of them counts as absent.`,
    );
  if (nQuestions < FEW_QUESTIONS)
    warn(
      'few_questions',
      `${nQuestions === 1 ? '1 question' : `${nQuestions} questions`}: read the intervals, not the digits.`,
    );
  const nUnscored = judge.ledger.n - judge.ledger.present - judge.ledger.absent - judge.ledger.contradicted;
  const open = nUnscored - judge.ledger.answer_refused;
  if (open > HIGH_UNSCORED_SHARE * judge.ledger.n)
    warn(
      'unscored_items_high',
      `${open} of ${judge.ledger.n} items are unscored: read the bounds, and find out why before blaming the model.`,
    );
  return [...warnings, ...rubricWarnings(report)];
}

function judgeWarnings(
  { judge, backendName }: Omit<QuestionReport, 'warnings'>,
  nLabels: number | null,
): Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: string, message: string) => warnings.push({ code, message });
  if (judge.judges.length === 0) {
    warn('not_judged', 'Nobody has judged the answers yet: krisis judge does.');
    return warnings;
  }
  for (const name of judge.names) {
    if (name === backendName)
      warn('self_judging', `${name} judged its own answers: a model tends to find them good.`);
    else if (modelName(name) === modelName(backendName))
      warn(
        'self_judging',
        `${name} judged the answers of ${backendName}, which seems to be the same model: it tends to find them good.`,
      );
    if (name === LEXICAL_JUDGE.name)
      warn(
        'lexical_judge',
        `${name} looks for words, and knows neither negation nor paraphrase: a baseline for judges, and no judge to trust.`,
      );
  }
  if (judge.names.length > 1)
    warn('several_judges', `Traits were judged by different judges: ${judge.names.join(', ')}.`);
  const mixed = judge.judges.filter(
    ({ name, promptHashes }) => judge.names.includes(name) && promptHashes.length > 1,
  );
  for (const { name } of mixed)
    warn(
      'judge_prompts_differ',
      `${name} was asked in different words (another version of Krisis): judge the run anew.`,
    );
  if (judge.calibration === null)
    warn(
      'judge_not_calibrated',
      nLabels === null
        ? 'Judge not calibrated: nobody has compared its verdicts with those of people (--labels FILE does).'
        : `Judge not calibrated: none of the ${nLabels} labels given fits an item that it judged.`,
    );
  else if (judge.calibration.unmatched.length > 0)
    warn(
      'labels_unmatched',
      `${judge.calibration.unmatched.length} of ${nLabels} labels fit nothing that was judged, or label an item again; they count nowhere.`,
    );
  return warnings;
}

/** The same model may be had from several providers. */
function modelName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).toLowerCase();
}

/** What is probably not meant in a rubric, each thing once. */
function rubricWarnings({ answers }: Omit<QuestionReport, 'warnings'>): Warning[] {
  const messages = answers.flatMap(({ metricTraits }) =>
    metricTraits.flatMap(({ trait }) => trait.warnings.map((text) => `Trait ${trait.name}: ${text}.`)),
  );
  return [...new Set(messages)].map((message) => ({ code: 'rubric', message }));
}

function rows(n: number): string {
  return n === 1 ? '1 row' : `${n} rows`;
}
