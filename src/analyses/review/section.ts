import { bracketed, whole } from '../../reports/charts/number-text.ts';
import {
  heading,
  list,
  numbers,
  paragraph,
  record,
  section,
  strong,
  table,
  texts,
} from '../../reports/document/blocks.ts';
import type { Block, Row, Section } from '../../reports/document/document.ts';
import { counted, DASH, inWords, joined, number } from '../../reports/words.ts';
import type { RunResult } from '../../runs/run-result.ts';
import type { LabelShare } from '../../statistics/methods/judge-accuracy.ts';
import type { JudgeReport } from '../judging/judge-report.ts';
import { judgeStanding } from '../judging/judge-standing.ts';
import type { Coefficient, RaterAgreement } from './agreement.ts';
import { notCorrectedText } from './corrected-score.ts';
import type { CorrectedScore } from './corrected-scores.ts';
import { correctionNote } from './correction-note.ts';
import type { GroupAgreement, ItemReview } from './item-review.ts';
import type { PanelReport } from './panel.ts';
import type { RecordReview } from './record-review.ts';
import type { LabelCounts } from './resolve-targets.ts';
import type { RunReview } from './run-review.ts';
import type { UrgencyReview } from './urgency-review.ts';

/** What people say of the run: their labels, how far they agree, and what that makes of the scores. Null for a run that was not reviewed. */
export function review({
  review: found,
  panel,
  reviewProblem,
}: Pick<RunResult, 'review' | 'panel' | 'reviewProblem'>): Section | null {
  if (found === null && panel === null && reviewProblem === null) return null;
  return section({ id: 'review', title: 'Human review' }, [
    reviewProblem !== null && paragraph(`The review of this run cannot be read: ${reviewProblem}`),
    ...(found?.items ? itemBlocks(found.items) : []),
    ...(found?.records ? recordBlocks(found.records) : []),
    ...(found === null ? [] : suiteBlocks(found)),
    ...(panel === null ? [] : panelBlocks(panel)),
    found?.lastLabel != null &&
      paragraph(
        `Computed from the first ${counted(found.lastLabel.n, 'label')} of the review, the last one ${found.lastLabel.id}.`,
        {
          tone: 'small',
        },
      ),
  ]);
}

/** The scores of a trait for the top of a report: corrected where the labels allow it, else as judged with the reason. Of a judge that people disagreed with, no score as judged is at the top. */
export function correctedHeadline(found: RunReview | null, judge: JudgeReport, trait: string): Block | null {
  const { counts, corrected = [] } = found?.items ?? {};
  const isReviewed = (counts?.n ?? 0) > 0 || corrected.some((score) => score.corrected !== null);
  const own = isReviewed ? corrected : [];
  const shown = own.filter((score) => score.trait === trait && isShown(score));
  if (shown.length > 0) return list(shown.map((score) => headlineText(score, judge)));
  return judge.status === 'refuted' ? paragraph('No score, since people disagreed with the judge.') : null;
}

function headlineText(found: CorrectedScore, judge: JudgeReport): string {
  const { metric, name, raw, corrected } = found;
  const what = name.endsWith('.mean') ? `${metric}, mean of questions` : metric;
  const judged = `${number(raw.value)}${bracketed(raw.interval)} as judged`;
  if (corrected !== null)
    return `${what}: ${number(corrected.value)}${bracketed(corrected)} corrected for the judge's errors; ${judged}`;
  const { headline } = judgeStanding(judge, {
    score: 'raw',
    correctedAvailable: false,
    allowUncalibrated: false,
  });
  const first = headline === 'no_score' ? 'no score, since people disagreed with the judge' : judged;
  return `${what}: ${first}; not corrected: ${notCorrectedText(found)}`;
}

/** Means of questions are shown only where they could be corrected: the pooled score has the reason already. */
function isShown({ name, corrected }: CorrectedScore): boolean {
  return corrected !== null || !name.endsWith('.mean');
}

const TRANSPORTED =
  'The answers of this run have no labels. Its scores are corrected by the error rates that the same judge had in another run: transported. Error rates differ between models as a rule, so labels on this run would say more.';

function itemBlocks(found: ItemReview): (Block | null)[] {
  const corrected = found.corrected.filter(isShown);
  return [
    ...(found.isTransported ? [paragraph(TRANSPORTED)] : labelBlocks(found, 'item')),
    heading("Scores corrected for the judge's errors"),
    table(
      'Corrected scores',
      [
        'score',
        ...numbers(
          'as judged',
          'corrected',
          'lambda',
          'labels',
          'questions',
          'raters',
          'judge sensitivity',
          'judge specificity',
        ),
        ...texts('note'),
      ],
      corrected.map((score) => correctedRow(score)),
      { layout: 'wide' },
    ),
    paragraph(
      'The correction is of a mean; single answers stay as judged. Lambda says how much the judge counts beside people: 0 is people alone. Sensitivity and specificity are the judge against people, on the labels of the case.',
      { tone: 'small' },
    ),
    ...(found.isTransported
      ? []
      : [heading('How far people agree, and the judge with them'), agreementTable(found.agreement)]),
    ...found.agreement.flatMap(sameItemsText),
    ...undecidable(found.agreement),
    found.itemsToRewrite.length === 0
      ? null
      : table(
          'Items to rewrite: a fifth or more of their labels are unclear or in dispute',
          ['trait', ...texts('item'), ...numbers('labels', 'unclear', 'in dispute')],
          found.itemsToRewrite.map(({ trait, instruction, nLabels, nUnclear, nDisputed }) => [
            trait,
            instruction,
            String(nLabels),
            String(nUnclear),
            String(nDisputed),
          ]),
          { showCaption: true, most: { text: 20, md: 50, html: 200 } },
        ),
  ];
}

function correctedRow(found: CorrectedScore): Row {
  const { label, raw, corrected, sensitivity, specificity } = found;
  const share = ({ value, lower, upper, n }: CorrectedScore['sensitivity']) =>
    value === null ? DASH : `${number(value)}${bracketed({ lower, upper })}, n ${n}`;
  const note = joined([
    corrected === null && `not corrected: ${notCorrectedText(found)}`,
    correctionNote({ ...found, isCorrected: corrected !== null }),
  ]);
  return [
    label,
    `${number(raw.value)}${bracketed(raw.interval)}`,
    corrected === null ? DASH : `${number(corrected.value)}${bracketed(corrected)}`,
    number(found.lambda),
    String(found.nLabels),
    String(found.nQuestions),
    String(found.nRaters),
    share(sensitivity),
    share(specificity),
    note ?? '',
  ];
}

/** What was labelled, how it was drawn, and which labels are in no number. */
function labelBlocks({ counts, states, nRaters, plan }: ItemReview | RecordReview, noun: string): Block[] {
  const planLine =
    plan === null
      ? counts.used > 0
        ? 'Nothing is settled yet, so no estimate uses the labels.'
        : 'No label was drawn by a plan, so no estimate uses them.'
      : `Plan ${plan.id}: ${planText(plan.kind)}, seed ${plan.seed}; ${counted(plan.nDrawn, noun)} drawn from ${whole(plan.frameSize)}, ${plan.nSettled} settled.`;
  const stateText = Object.entries(states).map(([state, n]) => `${inWords(state)} ${n}`);
  return [
    list([
      `${counted(counts.used, 'label')} of ${counted(nRaters, 'rater')}${states.adjudicated ? ', rulings included,' : ''} in use${unusedText(counts)}.`,
      ...(counts.unchecked === 0 ? [] : [uncheckedText(counts)]),
      `${noun === 'item' ? 'Items' : 'Cases'}: ${stateText.join(', ') || 'none'}.`,
      planLine,
    ]),
  ];
}

const PLAN_TEXTS: Readonly<Record<string, string>> = {
  random: 'at random',
  verdict: 'by verdict',
  cases: 'chosen by hand',
  disagreement: 'by disagreement',
  severity: 'by severity',
  outcome: 'by outcome',
  questions: 'whole questions',
};

function planText(kind: string): string {
  return PLAN_TEXTS[kind] ?? kind;
}

function unusedText({ superseded, skipped, unblinded, handPicked, stale, unmatched }: LabelCounts): string {
  const unused = joined(
    [
      stale > 0 && `${stale} stale (the text has changed)`,
      unblinded > 0 && `${unblinded} not blind`,
      handPicked > 0 && `${handPicked} picked by hand`,
      unmatched > 0 && `${unmatched} on nothing in this run`,
      skipped > 0 && `${skipped} skipped`,
      superseded > 0 && `${superseded} corrected by their rater`,
    ],
    ', ',
  );
  return unused === null ? '' : `; in no number: ${unused}`;
}

function uncheckedText({ unchecked, used }: LabelCounts): string {
  const which = unchecked === used ? 'labels' : `${unchecked} of them`;
  return `Cannot check whether ${which} are stale: the run file does not hold the texts. They count as given.`;
}

function agreementTable(groups: readonly GroupAgreement[]): Block {
  const rows = groups.flatMap(({ trait, people, judge }): Row[] => [
    agreementRow(trait === null ? 'people' : `${trait}: people`, people),
    agreementRow(trait === null ? 'judge and people' : `${trait}: judge and people`, judge),
  ]);
  return table('Agreement', AGREEMENT_COLUMNS, rows, { layout: 'wide' });
}

const AGREEMENT_COLUMNS = [
  'agreement of',
  ...numbers('items', 'questions', 'kappa', 'AC1', 'alpha', 'positive agreement', 'negative agreement'),
];

function agreementRow(name: string, found: RaterAgreement | null): Row {
  if (found === null) return [name, '0', '0', ...new Array<string>(5).fill(DASH)];
  const { binary } = found;
  const value = (own: Coefficient | null) =>
    own === null || own.value === null
      ? DASH
      : `${number(own.value)}${bracketed(own)}${found.isFew && own.lower !== null ? ' few' : ''}`;
  return [
    name,
    String(found.n),
    String(found.nQuestions),
    value(found.kappa),
    value(found.ac1),
    value(found.alpha),
    writeShare(
      binary.positiveAgreement,
      `${2 * binary.yesYes}/${2 * binary.yesYes + binary.yesNo + binary.noYes}`,
    ),
    writeShare(
      binary.negativeAgreement,
      `${2 * binary.noNo}/${2 * binary.noNo + binary.yesNo + binary.noYes}`,
    ),
  ];
}

function writeShare(value: number | null, counts: string): string {
  return value === null ? DASH : `${number(value)} (${counts})`;
}

function sameItemsText({ trait, sameItems }: GroupAgreement): Block[] {
  if (trait !== null || sameItems === null || sameItems.kappa.difference === null) return [];
  const { kappa, ac1, n } = sameItems;
  return [
    paragraph(
      `On the same ${counted(n, 'item')} kappa is ${number(kappa.people)} between two people and ${number(kappa.judge)} between the judge and one of them: difference ${number(kappa.difference)}${bracketed(kappa)}; AC1 ${number(ac1.people)} and ${number(ac1.judge)}, difference ${number(ac1.difference)}${bracketed(ac1)}. A judge above the value of people has not beaten them.`,
    ),
  ];
}

function undecidable(groups: readonly GroupAgreement[]): Block[] {
  const named = groups.flatMap(({ trait, notDecidable }) => (notDecidable ? [trait ?? 'all traits'] : []));
  if (named.length === 0) return [];
  return [
    paragraph([
      strong('Not decidable as written'),
      `: ${named.join(', ')}. People agree too little on these items (upper bounds of kappa and AC1 below 0.6) for any judge to be called calibrated on them.`,
    ]),
  ];
}

function recordBlocks(found: RecordReview): (Block | null)[] {
  const { modelRight, modelRightBySuite, foundWrong } = found;
  return [
    ...labelBlocks(found, 'case'),
    modelRight.value === null
      ? null
      : paragraph(
          `By what people decided, the model was right on ${number(modelRight.value)}${bracketed(modelRight)} of ${counted(modelRight.n, 'case')}; by the suite's own labels on ${number(modelRightBySuite.value)} of the same cases.`,
        ),
    suiteAgreementTable(
      'Agreement on cases',
      ['agreement on deferring', 'agreement on not deferring'],
      found,
    ),
    ...urgencyBlocks(found.urgency),
    foundWrong.length === 0
      ? paragraph('No reviewed case has a label of the suite that people did not confirm.')
      : table(
          `${counted(foundWrong.length, 'case')} on which people disagree with the suite`,
          ['case', 'people', 'suite', 'state', ...numbers('raters')],
          foundWrong.map(({ recordId, people, suite, state, nRaters }) => [
            record(recordId),
            people,
            suite,
            inWords(state),
            String(nRaters),
          ]),
          { showCaption: true, most: { text: 20, md: 50, html: 200 } },
        ),
  ];
}

/** How far people agree with each other and with the suite; `shares` heads the columns of positive and negative agreement. */
function suiteAgreementTable(
  caption: string,
  shares: readonly [string, string],
  { people, suite }: Pick<UrgencyReview, 'people' | 'suite'>,
): Block {
  return table(
    caption,
    ['agreement of', ...numbers('cases', 'clusters', 'kappa', 'AC1', 'alpha', ...shares)],
    [agreementRow('people', people), agreementRow('people and the suite', suite)],
    { layout: 'wide' },
  );
}

/** Which records people call emergencies. */
function urgencyBlocks({
  nStated,
  nSettled,
  nEmergencies,
  people,
  peopleReason,
  suite,
  suiteReason,
  differing,
  missed,
  missedReason,
  falseAlarms,
  falseAlarmsReason,
}: UrgencyReview): Block[] {
  // Nothing to show where reviewers were not asked about urgency.
  if (nStated === 0) return [];
  const rates = joined([
    rateText('missed emergencies', missed, missedReason),
    rateText('false alarms', falseAlarms, falseAlarmsReason),
  ]);
  const reasons = joined([
    peopleReason !== null && `people: ${inWords(peopleReason)}`,
    suiteReason !== null && `people and the suite: ${inWords(suiteReason)}`,
  ]);
  return [
    heading('Emergencies'),
    paragraph(
      `Asked whether anything shown needs action today, people settled on ${nSettled} of ${counted(nStated, 'case')}: ${nEmergencies} ${nEmergencies === 1 ? 'is an emergency' : 'are emergencies'}. The model by this: ${rates}.`,
    ),
    suiteAgreementTable(
      'Agreement on emergencies',
      ['agreement on “emergency”', 'agreement on “no emergency”'],
      { people, suite },
    ),
    ...(reasons === null ? [] : [paragraph(`No agreement: ${reasons}.`, { tone: 'small' })]),
    ...(differing.length === 0
      ? []
      : [
          table(
            `${counted(differing.length, 'case')} on which people and the suite differ about an emergency`,
            ['case', 'people', 'suite', 'state', ...numbers('raters')],
            differing.map(({ recordId, people: own, suite: other, state, nRaters }) => [
              record(recordId),
              inWords(own),
              inWords(other),
              inWords(state),
              String(nRaters),
            ]),
            { showCaption: true, most: { text: 20, md: 50, html: 200 } },
          ),
        ]),
  ];
}

function rateText(name: string, { value, n, ...interval }: LabelShare, reason: string | null): string {
  return value === null
    ? `${name} ${DASH} (${inWords(reason)})`
    : `${name} ${number(value)}${bracketed(interval)} of ${counted(n, 'case')}`;
}

function suiteBlocks({ suiteItems }: RunReview): Block[] {
  if (suiteItems === null) return [];
  const { right, faults } = suiteItems;
  return [
    heading('The test itself'),
    paragraph(
      `Cases and rubric lines: ${right} called right, ${faults.length} wrong or ambiguous. What two people agree on, or a third ruled on, is a fault of the test: scores of this version keep it, a new version of the suite leaves the case out for all models alike. What one person says is a reason to look.`,
    ),
    ...(faults.length === 0
      ? []
      : [
          table(
            'Faults of the test',
            ['case', 'item', 'people say', 'state'],
            faults.map(({ recordId, itemId, verdict, state }) => [
              recordId,
              itemId ?? DASH,
              verdict,
              inWords(state),
            ]),
            { most: { text: 20, md: 50, html: 200 } },
          ),
        ]),
  ];
}

function panelBlocks({
  model,
  panel,
  difference,
  raters,
  nRecords,
  nRaters,
  nSplit,
  nUnmatched,
  urgency,
}: PanelReport): (Block | null)[] {
  return [
    heading('Against the panel'),
    paragraph(
      `Agreement with the panel: ${number(model.value)}${bracketed(model)}, the mean over ${counted(model.n, 'case')} of the share of raters who made the model's decision. The panel's own: ${number(panel.value)}${bracketed(panel)}, each rater against the others (${counted(panel.n, 'case')} with two raters or more). Model minus panel on the same cases: ${number(difference.value)}${bracketed(difference)}.`,
    ),
    list([
      `${counted(nRecords, 'case')} decided by ${counted(nRaters, 'rater')}; on ${nSplit} no two raters agree${nUnmatched === 0 ? '' : `; ${counted(nUnmatched, 'decision')} on cases that the run does not have`}.`,
    ]),
    urgency === null
      ? null
      : paragraph(
          `Emergencies: the panel's own agreement is ${number(urgency.panel.value)}${bracketed(urgency.panel)} (${counted(urgency.panel.n, 'case')} with two raters or more), with the suite's marks ${number(urgency.suite.value)}${bracketed(urgency.suite)} (${counted(urgency.suite.n, 'case')}).`,
        ),
    table(
      'Each rater against the others',
      ['rater', ...numbers('agreement', 'cases')],
      raters.map(({ rater, value, lower, upper, n }) => [
        rater,
        `${number(value)}${bracketed({ lower, upper })}`,
        String(n),
      ]),
      { most: { text: 20, md: 50, html: 200 } },
    ),
  ];
}
