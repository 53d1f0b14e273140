import { list, numbers, paragraph, section, strong, table, texts } from '../../reports/document/blocks.ts';
import type { Block, Section } from '../../reports/document/document.ts';
import { counted, DASH, dateText, inWords, number, range } from '../../reports/words.ts';
import type { CalibrationReason, CalibrationStatus } from '../../rubrics/calibration/calibration-status.ts';
import type { JudgeAgainstHumans, JudgeCalibration } from '../../rubrics/calibration/judge-calibration.ts';
import type { JudgeReliability, JudgeReport } from './judge-report.ts';
import { disagreementText } from './judge-standing.ts';
import type { JudgedResult } from './judged-result.ts';
import type { JudgesAgreement } from './judges-agreement.ts';
import type { Jury } from './jury.ts';
import { juryBlocks } from './jury-section.ts';

/** What people's labels make of the judge: shown beside every score. */
export const JUDGE_STATUS = {
  calibrated: 'judge calibrated',
  not_calibrated: 'judge not calibrated',
  refuted: 'people disagreed with the judge',
} as const satisfies Record<JudgeReport['status'], string>;

const STATUS_WORDS = {
  calibrated: 'Judge calibrated',
  not_calibrated: 'Judge not calibrated',
  refuted: 'Judge refuted',
} as const satisfies Record<JudgeReport['status'], string>;

/** How far the judge agrees with itself, with other judges and with people. */
export function judge({ judging: { judge: found, jury } }: JudgedResult): Section {
  const { calibration, reliability, betweenJudges, status } = found;
  return section({ id: 'judge', title: 'Can the judge be trusted?' }, [
    ...(jury === null ? [] : juryBlocks(jury)),
    list([...reliability.map(reliabilityText), ...betweenJudges.map(betweenText)]),
    ...othersBlocks(found, jury),
    ...(calibration === null
      ? []
      : [paragraph([strong(STATUS_WORDS[status]), `: ${statusText(found, calibration)}`])]),
    calibration === null
      ? paragraph([
          strong('Judge not calibrated'),
          ': there are no verdicts of people to compare its verdicts with. Scores are not corrected for its errors.',
        ])
      : table(
          'Against verdicts of people',
          [
            'trait',
            ...numbers('kappa', 'sensitivity', 'specificity', 'n', 'unclear', 'unusable'),
            ...texts('calibrated'),
          ],
          [
            {
              title: 'Against verdicts of people',
              rows: [
                ['all traits', ...againstCells(calibration.overall), status === 'calibrated' ? 'yes' : 'no'],
                ...Object.entries(calibration.byTrait).map(([name, against]) => [
                  name,
                  ...againstCells(against),
                  calibratedText(against.status),
                ]),
              ],
            },
          ],
        ),
  ]);
}

/** Who judged, in a few words. */
export function judgeText({ judging: { judge: found } }: JudgedResult): string {
  if (found.names.length === 0) return 'not judged yet';
  const names = found.names.map((name) => {
    const present = found.judges.find((judge) => judge.name === name);
    // The name of a jury is not that of a judge.
    return present === undefined
      ? name
      : `${name} (${present.passes === 1 ? '1 pass' : `${present.passes} passes`})`;
  });
  return `judged by ${names.join(', ')}; ${JUDGE_STATUS[found.status]}`;
}

/** Other judges of the same answers: nothing of theirs is in the numbers above. */
function othersBlocks({ judges, names }: JudgeReport, jury: Jury | null): Block[] {
  const scored = new Set([...names, ...(jury?.judges ?? []).map(({ name }) => name)]);
  const others = judges.filter(({ name }) => !scored.has(name));
  if (names.length === 0 || others.length === 0) return [];
  const listed = others.map(({ name, config, passes, settings }) => {
    const last = settings?.lastAsked ? `, last asked ${dateText(settings.lastAsked)}` : '';
    return `${name}${config === '' ? '' : `, configuration ${config}`}: ${passes === 1 ? '1 pass' : `${passes} passes`}${last}`;
  });
  return [
    paragraph(
      'Also in this run, and in none of the scores here: a report can be made for each of them, by its name or the beginning of its configuration.',
    ),
    list(listed),
  ];
}

/** What the word rests on. */
function statusText(judge: JudgeReport, { nDoubleRated, nDisputed, overall }: JudgeCalibration): string {
  const rests = `${counted(overall.nCompared, 'label')} compared, ${counted(nDoubleRated, 'item')} labelled by two or more people${nDisputed === 0 ? '' : `, of which ${nDisputed} are in dispute and in no number`}.`;
  if (judge.status === 'refuted')
    return `${disagreementText(judge)}. ${rests} Only scores corrected by people's labels are to be relied on.`;
  return judge.status === 'calibrated'
    ? `its errors were measured on a random sample and are not bad. ${rests} Scores may still need correction, and this says nothing about other models' answers.`
    : `labels were compared, and are not enough for that word; the table has the reasons. ${rests}`;
}

function reliabilityText(found: JudgeReliability): string {
  if (found.agreement === null)
    return `${found.judge}: ${found.passes === 1 ? 'one pass, so how far it agrees with itself is not known; judge again with three passes to find out' : 'no item has two usable verdicts'}`;
  const kappa = found.fleissKappa === null ? '' : `, Fleiss' kappa ${number(found.fleissKappa)}`;
  return `${found.judge}: over ${found.passes} passes agreement ${number(found.agreement)}, flip rate ${number(found.flipRate)}${kappa} (${counted(found.nCompared, 'item')})`;
}

function betweenText({ judges, agreement, kappa, nCompared, reason }: JudgesAgreement): string {
  const pair = judges.join(' and ');
  if (agreement === null) return `${pair}: ${inWords(reason)}`;
  return `${pair}: agreement ${number(agreement)}, Cohen's kappa ${number(kappa)} (${counted(nCompared, 'item')})`;
}

function againstCells(found: JudgeAgainstHumans): string[] {
  return [
    number(found.kappa),
    shareText(found.sensitivity),
    shareText(found.specificity),
    String(found.nCompared),
    String(found.nUnclear),
    String(found.nUnusable),
  ];
}

function shareText({ value, interval, n }: JudgeAgainstHumans['sensitivity']): string {
  return value === null ? DASH : `${number(value)} (${range(interval)}, n ${n})`;
}

const REASONS: Readonly<Record<CalibrationReason, (found: CalibrationStatus) => string>> = {
  too_few_present_labels: ({ nPresent }) => `${nPresent} of 30 labels present`,
  too_few_not_present_labels: ({ nNotPresent }) => `${nNotPresent} of 30 labels not present`,
  too_few_questions: ({ nQuestions }) => `${nQuestions} of 20 questions`,
  too_few_double_ratings: () => 'fewer than 30 items labelled by two people',
  not_same_instrument: () => 'more than one judge, or more than one prompt',
  not_random_sample: () => 'labels not known to be a random sample',
  sensitivity_lower_bound: ({ sensitivityLower }) =>
    `sensitivity not shown to be 0.75 or more (lower bound ${number(sensitivityLower)})`,
  specificity_lower_bound: ({ specificityLower }) =>
    `specificity not shown to be 0.75 or more (lower bound ${number(specificityLower)})`,
  not_decidable_as_written: () => 'people cannot decide these items as written',
};

/** Whether a judge is calibrated on a trait, and why not. */
function calibratedText(status: CalibrationStatus): string {
  return status.status === 'calibrated'
    ? 'yes'
    : `no: ${status.reasons.map((reason) => REASONS[reason](status)).join('; ')}`;
}
