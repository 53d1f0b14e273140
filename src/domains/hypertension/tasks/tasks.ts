import { clinicalTask } from '../../cohort/clinical-task.ts';
import {
  type BpGuideline,
  bpCategory,
  bpMustAct,
  CATEGORIES,
  type Danger,
  HIGH_FROM,
  isHigh,
  type Pressure,
} from '../blood-pressure.ts';
import { CLASSIFICATION_FORM, FOLLOW_UP_FORM, PHENOTYPE_FORM, TREATMENT_FORM } from '../form.ts';
import { type BpVisit, latestMean, visitMean } from '../office-average.ts';
import {
  CLASSIFICATION_REASONS,
  FOLLOW_UP_REASONS,
  PHENOTYPE_REASONS,
  TREATMENT_REASONS,
} from '../reasons.ts';
import {
  ADULT_AGE,
  assessClassification,
  type ClassificationCase,
  classificationMean,
} from './classification.ts';
import { assessFollowUp, CONTROL, type FollowUpCase, settledAverage } from './follow-up.ts';
import { assessPhenotype, classifyPhenotype, PHENOTYPES, type PhenotypeCase } from './phenotype.ts';
import { assessTreatment, DECISIONS } from './treatment.ts';

/** Scores are broken down by the category of the mean that the answer rests on. */
const STRATUM = { key: 'bp_category', label: 'category' } as const;

const NAMES: Record<BpGuideline, string> = {
  acc_aha_2025: '2025 ACC/AHA guideline',
  esc_2024: '2024 ESC guideline',
};
const CHANCE = 'the chance that the usual pressure lies on the other side exceeds 20 %';
const OFFICE_SD =
  'The mean of one visit varies around the usual pressure with an SD of 8 mmHg systolic and 5 diastolic, so the mean of n visits with that divided by the square root of n; systolic and diastolic vary independently, and pressure is high when either number is.';
const USABLE =
  'A visit counts with two readings or more (three or more in atrial fibrillation); a visit with exactly two readings more than 10 mmHg systolic apart does not count.';
const SEVERE: Record<BpGuideline, string> = {
  acc_aha_2025: 'above 180 or 120',
  esc_2024: '180 or 110 and more',
};
const AVERAGE: Record<BpGuideline, string> = {
  acc_aha_2025: 'Average all readings of a visit, then the visits, each with the same weight.',
  esc_2024: 'Average the last two readings of a visit, then the visits, each with the same weight.',
};
const line = ([sbp, dbp]: readonly [number, number]) => `${sbp}/${dbp}`;

/** The arm that gives the mean. */
const meanShown = <Case>(note: string, mean: (given: Case) => Pressure | null) => ({
  arm: 'mean_shown',
  note,
  label: 'Mean of the office visits that count (mmHg)',
  line: (given: Case) =>
    mean(given)
      ?.map((value) => value.toFixed(1))
      .join('/') ?? 'no visit counts',
});

/** Why a pressure shown needs action: that of the latest visit, or the office mean where visits are not shown. */
const mustActAt = (pressure: Pressure | null, danger: Danger, guideline: BpGuideline) =>
  pressure === null ? [] : bpMustAct(pressure, danger, guideline);

const isNoAdult = ({ age }: { readonly age: number | null }) => age === null || age < ADULT_AGE;

/** The task classification. `confirmed` is true for a source with one visit, of which the question says that a second gave the same. */
export function classificationTask(guideline: BpGuideline, confirmed = false) {
  const isAcc = guideline === 'acc_aha_2025';
  const categories = isAcc
    ? 'normal, elevated, stage_1 or stage_2'
    : 'non_elevated, elevated or hypertension';
  const scale = isAcc
    ? 'normal below 120 and below 80; elevated 120 to 129 and below 80; stage_1 130 to 139 or 80 to 89; stage_2 from 140 or from 90 on'
    : 'non_elevated below 120 and below 70; elevated 120 to 139 or 70 to 89; hypertension from 140 or from 90 on';
  const [lowest, highest] = isAcc ? ['normal', 'stage_2'] : ['non_elevated', 'hypertension'];
  const question = `State the category of office blood pressure by the ${NAMES[guideline]}: ${categories}. The person takes no drugs for blood pressure. No out-of-office values are needed.${confirmed ? ' Take it that a second visit gave the same average.' : ''}`;
  const visits = confirmed ? 'one usable visit is enough' : 'abstain with fewer than two usable visits';
  const rounding = confirmed
    ? ''
    : ' If at least four readings are shown and all values end in 0, add 8.33 to both variances.';
  return clinicalTask({
    id: 'hypertension/classification',
    labels: CATEGORIES[guideline],
    ordered: true,
    pack: 'staging',
    stratum: STRATUM,
    question,
    rule: `Rules in this order. (1) In an adult whose latest visit has a mean of ${SEVERE[guideline]}, or in pregnancy of 160 or 110 and more, answer ${highest}, whatever the number of visits; without organ damage and outside pregnancy only if no fault reads high. (2) Abstain under 18 years, in pregnancy, and with acute illness or pain. (3) ${USABLE} Here ${visits}. (4) ${AVERAGE[guideline]} Categories of the unrounded mean, the higher of both numbers deciding: ${scale}. A cuff that is too small for the arm and no rest read high: abstain unless the category is ${lowest}. A cuff that is too large, and measuring the arm with the lower pressure when arms differ by 10 mmHg or more, read low: abstain unless the category is ${highest}. What is not recorded is no fault. (5) ${OFFICE_SD}${rounding} Abstain when, at the line of hypertension (${line(HIGH_FROM[guideline].office)}), ${CHANCE}. Doubt about other lines is no reason to abstain.`,
    shown: meanShown('The mean that the guideline asks for is given.', (given: ClassificationCase) =>
      classificationMean(given, guideline),
    ),
    deferralReasons: CLASSIFICATION_REASONS,
    read: CLASSIFICATION_FORM.read,
    // A source with one visit has no digits to judge rounding by: its values are even by protocol.
    assess: (given) =>
      assessClassification(given, {
        guideline,
        minVisits: confirmed ? 1 : 2,
        findRounding: !confirmed,
      }),
    mustAct: (given) => mustActAt(latestMean(given.visits, guideline), given, guideline),
    plainAnswer({ visits }) {
      const mean = meanOfReadings(visits, guideline);
      return mean === null ? null : bpCategory(mean, guideline);
    },
    glance({ visits }) {
      const last = visits.at(-1)?.readings.at(-1);
      return last === undefined ? null : bpCategory(last, guideline);
    },
    lacks: (given) =>
      isNoAdult(given) || given.visits.length < 2 || given.visits.at(-1)!.readings.length === 0,
  });
}

export function phenotypeTask(guideline: BpGuideline) {
  const { office, home, ambulatory_day, ambulatory_24h } = HIGH_FROM[guideline];
  return clinicalTask({
    id: 'hypertension/phenotype',
    labels: PHENOTYPES,
    ordered: false,
    stratum: STRATUM,
    question: `Decide from office and out-of-office pressure, by the lines of the ${NAMES[guideline]}: normotension (neither is high), white_coat (only office pressure is), masked (only out-of-office pressure is) or sustained (both are). The four names are used under drugs for blood pressure too.`,
    rule: `Go by the means, not by single readings. High is, in either number: office from ${line(office)} on, home from ${line(home)}, ambulatory awake from ${line(ambulatory_day)}, over 24 hours from ${line(ambulatory_24h)}. Abstain under 18 years and in pregnancy; with fewer than two office visits; without out-of-office values; with fewer than 3 days or 12 readings at home; with fewer than 70 % valid ambulatory readings. ${OFFICE_SD} A home mean varies with an SD of 5 and 3.5, an ambulatory mean with 6.3 and 4.5. Abstain when the chance that office or out-of-office pressure is on the other side of its line (1 minus the product of both chances to be right) exceeds 20 %, except when the office mean is ${SEVERE[guideline]}.`,
    deferralReasons: PHENOTYPE_REASONS,
    read: PHENOTYPE_FORM.read,
    // The four states have names of their own under treatment, and mean the same two questions.
    assess: (given) => assessPhenotype({ ...given, onTreatment: false }, guideline),
    mustAct: (given) => mustActAt(given.officeMean, given, guideline),
    plainAnswer: ({ officeMean, outOfOffice }) =>
      phenotypeBy(guideline, officeMean, outOfOffice?.mean ?? null, outOfOffice),
    glance: ({ lastOffice, lastOutside, outOfOffice }) =>
      phenotypeBy(guideline, lastOffice, lastOutside, outOfOffice),
    lacks: (given) => isNoAdult(given) || given.onTreatment === true || given.outOfOffice === null,
  });
}

/** The phenotype by two pressures; null where one is missing. */
function phenotypeBy(
  guideline: BpGuideline,
  office: Pressure | null,
  outside: Pressure | null,
  outOfOffice: PhenotypeCase['outOfOffice'],
) {
  if (office === null || outside === null || outOfOffice === null) return null;
  return classifyPhenotype(
    isHigh(office, guideline, 'office'),
    isHigh(outside, guideline, outOfOffice.setting),
  );
}

export function treatmentTask() {
  return clinicalTask({
    id: 'hypertension/treatment',
    labels: DECISIONS,
    positiveLabel: 'start',
    ordered: false,
    pack: 'detection',
    stratum: STRATUM,
    question:
      'An adult without drugs for blood pressure. Decide by the 2025 ACC/AHA guideline whether to start them now: start or no_drug (lifestyle advice counts as no_drug).',
    rule: `Rules in this order. (1) Abstain under 18 years. Start when the mean is above 180 or 120, in pregnancy from 160 or 110 on; otherwise abstain in pregnancy and with fewer than two visits. (2) Risk is high with cardiovascular disease, diabetes or chronic kidney disease, with a PREVENT risk of 7.5 % or more, or after 6 months of lifestyle change; also, for starting drugs, after 3 months. It is low when all three conditions are "no" and the PREVENT risk is known. PREVENT counts from 30 to 79 years only. Otherwise it is unknown. (3) At 130 to 139 or 80 to 89, with neither number higher, abstain when risk is unknown. (4) Start from 140 or 90 on, and from 130 or 80 on when risk is high; else no_drug. ${OFFICE_SD} Abstain when ${CHANCE} of the line that decides: 140/90 when risk is low, or unknown with a mean from 140/90 on; otherwise 130/80.`,
    deferralReasons: TREATMENT_REASONS,
    read: TREATMENT_FORM.read,
    assess: assessTreatment,
    mustAct: (given) => mustActAt(given.mean, given, 'acc_aha_2025'),
    plainAnswer({ mean, cvd, diabetes, ckd }) {
      if (mean === null) return null;
      const stage = bpCategory(mean, 'acc_aha_2025');
      const hasCondition = cvd === true || diabetes === true || ckd === true;
      return stage === 'stage_2' || (stage === 'stage_1' && hasCondition) ? 'start' : 'no_drug';
    },
    glance: ({ mean }) => (mean === null ? null : mean[0] >= 140 ? 'start' : 'no_drug'),
    lacks: (given) =>
      isNoAdult(given) ||
      [given.mean, given.cvd, given.diabetes, given.ckd, given.preventPercent].includes(null),
  });
}

export function followUpTask(guideline: BpGuideline) {
  const controlled = ([sbp, dbp]: Pressure) => (sbp >= 130 || dbp >= 80 ? 'uncontrolled' : 'controlled');
  return clinicalTask({
    id: 'hypertension/follow_up',
    labels: CONTROL,
    positiveLabel: 'uncontrolled',
    ordered: false,
    pack: 'detection',
    stratum: STRATUM,
    question: `The person takes drugs for blood pressure, last changed on the day shown. Decide whether office pressure is now controlled, that is below 130/80, with visits averaged as the ${NAMES[guideline]} does: controlled or uncontrolled.`,
    rule: `When the mean of the latest visit is ${SEVERE[guideline]}, answer uncontrolled. ${USABLE} Only usable visits 28 days or more after the last change count; abstain with fewer than two. ${AVERAGE[guideline]} Uncontrolled from 130 or from 80 on. ${OFFICE_SD} Abstain when ${CHANCE} of 130/80.`,
    shown: meanShown(
      'The mean of the visits that count is given.',
      (given: FollowUpCase) => settledAverage(given, guideline).mean,
    ),
    deferralReasons: FOLLOW_UP_REASONS,
    read: FOLLOW_UP_FORM.read,
    assess: (given) => assessFollowUp(given, { guideline }),
    mustAct: (given) => mustActAt(latestMean(given.visits, guideline), given, guideline),
    // The price of averaging the baseline in.
    plainAnswer({ visits }) {
      const mean = meanOfReadings(visits, guideline);
      return mean === null ? null : controlled(mean);
    },
    glance({ visits }) {
      const last = visits.at(-1);
      return last === undefined || last.readings.length === 0 ? null : controlled(visitMean(last, guideline));
    },
    lacks: isNoAdult,
  });
}

/** The mean over all visits with a reading, usable or not. */
function meanOfReadings(visits: readonly BpVisit[], guideline: BpGuideline): Pressure | null {
  const means = visits
    .filter(({ readings }) => readings.length > 0)
    .map((visit) => visitMean(visit, guideline));
  if (means.length === 0) return null;
  const average = (side: 0 | 1) => means.reduce((sum, mean) => sum + mean[side], 0) / means.length;
  return [average(0), average(1)];
}
