import { nScored } from '../../core/ledger.ts';
import { counted } from '../../core/wording.ts';
import type { Warning } from '../../metrics/warning.ts';
import { collector } from '../../metrics/warnings.ts';
import { LEXICAL_JUDGE } from '../../models/judge.ts';
import { healthBenchGrader } from '../../rubrics/judge/grader.ts';
import type { UnwarnedResult } from '../../runs/run-result.ts';
import { isGraded } from './graded.ts';
import { nUnscoredItems } from './judge-ledger.ts';
import { disagreementText } from './judge-standing.ts';
import type { Judging } from './judging.ts';
import { scoringJudges } from './scoring-judges.ts';

const FEW_QUESTIONS = 100;
const HIGH_UNSCORED_SHARE = 0.05;

/** Whose verdicts are scored, and why they may be wrong. */
export function judgeWarnings(judging: Judging, backendName: string): Warning[] {
  const { judge, nLabels, answers } = judging;
  const { warnings, warn } = collector();
  if (judge.judges.length === 0) {
    warn('not_judged', 'The answers have not been judged yet.');
    return warnings;
  }
  const scoring = scoringJudges(judging);
  for (const name of new Set(scoring.map((present) => present.judge))) {
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
        `${name} looks for words, and knows neither negation nor paraphrase: a baseline for judges, not a judge to trust.`,
      );
  }
  if (isGraded(answers)) {
    const own = healthBenchGrader().hash;
    const hashes = scoring.flatMap(({ promptHashes }) => promptHashes);
    const wording = hashes.includes(own) ? 'in the wording of Krisis' : 'by a template of your own';
    warn(
      'graded_by_criterion',
      `A grader decided each criterion in a call of its own, met or not met, ${wording}, and quoted nothing that could be verified. Published HealthBench scores compare only under the published template and grader model.`,
    );
  }
  if (judge.names.length > 1)
    warn('several_judges', `Traits were judged by different judges: ${judge.names.join(', ')}.`);
  for (const { name, promptHashes } of scoring)
    if (promptHashes.length > 1)
      warn(
        'judge_prompts_differ',
        `${name} was asked in different words (another version of Krisis): judge the run again.`,
      );
  if (judge.status === 'refuted')
    warn(
      'judge_refuted',
      `Judge refuted: ${disagreementText(judge)}. Its scores are not to be relied on, and decide no condition.`,
    );
  else if (judge.status === 'not_calibrated')
    warn(
      'judge_not_calibrated',
      judge.calibration === null
        ? nLabels === null
          ? 'Judge not calibrated: its verdicts have not been compared with those of people.'
          : `Judge not calibrated: none of the ${nLabels} labels given matches an item that it judged.`
        : `Judge not calibrated: ${nLabels === null ? 'it was compared with the labels of the review' : `${counted(nLabels, 'label')} given`}, which are too few, not a random sample, not rated twice, or show too many errors; the section on the judge has the reasons.`,
    );
  if (judging.isUncalibratedAllowed && judge.status !== 'calibrated')
    warn(
      'uncalibrated_judge_allowed',
      'Conditions on this run accepted a judge that is not calibrated, as its user asked.',
    );
  if (judge.calibration !== null && judge.calibration.unmatched.length > 0)
    warn(
      'labels_unmatched',
      `${judge.calibration.unmatched.length} of ${nLabels} labels match nothing that was judged, or label an item twice; they are not counted.`,
    );
  return warnings;
}

/** What the numbers of answers and items leave open. */
export function answerWarnings({ judge, answers }: Judging, { ledger, nRecords }: UnwarnedResult): Warning[] {
  const { warnings, warn } = collector();
  const nFailed = ledger.n - nScored(ledger);
  if (nFailed > 0)
    warn(
      'unscored_rows',
      `${counted(nFailed, 'case')} failed, never ran or could not be judged; bounds show what they could have changed.`,
    );
  if (ledger.refused > 0)
    warn(
      'refused_rows',
      `${counted(ledger.refused, 'case')} ended in a refusal: nothing was said, so every item of them counts as absent.`,
    );
  if (nRecords < FEW_QUESTIONS)
    warn('few_questions', `Only ${counted(nRecords, 'question')}: too few to compare models.`);
  const { unverified } = judge.ledger;
  if (unverified > 0)
    warn(
      'unverified_items',
      `${unverified === 1 ? '1 item is' : `${unverified} items are`} unverified: the judge found something, but no quote verifies it (${unverifiedReasons(answers)}). Scores are shown with bounds in square brackets: read these.`,
    );
  const open = nUnscoredItems(judge.ledger);
  if (open > HIGH_UNSCORED_SHARE * judge.ledger.n)
    warn(
      'unscored_items_high',
      `${open} of ${judge.ledger.n} items are unscored: read the bounds, and find out why before blaming the model.`,
    );
  for (const [reason, held] of Object.entries(UNUSABLE_JUDGEMENTS)) {
    const items = answers.flatMap(({ metricTraits }) => metricTraits.flatMap((trait) => trait.items));
    const n = items.filter((item) => item.reason === `unreadable_${reason}`).length;
    if (n > 0)
      warn(
        `judge_${reason}`,
        `${counted(n, 'item')} ${n === 1 ? 'is' : 'are'} unscored because the judge's reply held ${held} (${reason}).`,
      );
  }
  const doubts = answers.flatMap(({ metricTraits }) =>
    metricTraits.flatMap(({ trait }) => trait.warnings.map((text) => `Trait ${trait.name}: ${text}.`)),
  );
  for (const message of new Set(doubts)) warn('rubric', message);
  return warnings;
}

const UNUSABLE_JUDGEMENTS = {
  two_answers: 'two different judgements',
  quoted_from_answer: 'no judgement but one quoted from the answer',
} as const;

/** Why items are unverified, with counts: "quote not in answer 2, quote negated 1". */
function unverifiedReasons(answers: Judging['answers']): string {
  const items = answers.flatMap(({ metricTraits }) => metricTraits.flatMap((trait) => trait.items));
  const reasons = Map.groupBy(
    items.filter((item) => item.class === 'unverified'),
    ({ reason }) => (reason ?? 'no_reason_given').replace(/^(?:present|contradicted)_/, ''),
  );
  return [...reasons]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([reason, { length }]) => `${reason.replaceAll('_', ' ')} ${length}`)
    .join(', ');
}

/** The same model is offered by several providers. */
function modelName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).toLowerCase();
}
