import type { Label } from '../../../core/label.ts';
import { DEFAULT_STRATUM } from '../../../core/patient-record.ts';
import { type ClinicalTask, clinicalTask, variationRule } from '../../cohort/clinical-task.ts';
import { type CkdCase, mustActReasons } from '../case.ts';
import { ADULT_AGE, ckdEpi2021 } from '../equations/ckd-epi.ts';
import { caseFromFeatures } from '../features.ts';
import {
  DETECTION_REASONS,
  PROGRESSION_REASONS,
  STAGING_REASONS,
  UCI_DETECTION_REASONS,
} from '../reasons.ts';
import { assessDetection, assessUciDetection } from './detection.ts';
import { assessCourse } from './progression.ts';
import { assessStage, STAGE_LABELS, type StageScale } from './staging.ts';

export const CKD_TASKS = ['detection', 'staging', 'progression'] as const;
export type CkdTaskName = (typeof CKD_TASKS)[number];

interface TaskOptions {
  readonly source: 'cohort' | 'uci';
  readonly scale: StageScale;
  readonly deferAbove: number;
}

/** What a glance takes for raised: creatinine in mg/dL, ACR in mg/g, and a creatinine that rose or fell by a fifth. */
const CREATININE_CUT = 1.2;
const ACR_CUT = 30;
const CHANGE_CUT = 1.2;
/** Creatinine (mg/dL) from which each stage after the first is guessed. */
const STAGE_CUTS: Record<StageScale, readonly (readonly [from: number, label: Label])[]> = {
  five: [
    [3.7, 5],
    [2, 4],
    [1.15, 3],
    [0.85, 2],
  ],
  six: [
    [3.7, 5],
    [2, 4],
    [1.5, '3b'],
    [1.15, '3a'],
    [0.85, 2],
  ],
};

const CANNOT_TELL =
  'creatinine cannot tell kidney function (under 18 years, pregnancy, dialysis, acute kidney injury, muscle mass far from usual, amputation)';

const EGFR = 'Compute eGFR by the CKD-EPI 2021 creatinine equation.';

/** What all tasks have in common. Staging names its equation in every arm, because another equation gives another category. */
const COMMON = { stratum: DEFAULT_STRATUM, read: caseFromFeatures, mustAct: mustActReasons };
const isNoAdult = ({ age, sex }: CkdCase) => age === null || age < ADULT_AGE || sex === null;

export function ckdTask(name: CkdTaskName, options: TaskOptions): ClinicalTask<CkdCase> {
  return MAKERS[name](options);
}

const MAKERS: Record<CkdTaskName, (options: TaskOptions) => ClinicalTask<CkdCase>> = {
  detection({ source }) {
    const isCohort = source === 'cohort';
    const damage = isCohort
      ? 'a urine albumin-creatinine ratio of 30 mg/g or more'
      : 'a urine albumin dipstick of 1 or more (the source has no albumin-creatinine ratio)';
    const sediment = isCohort
      ? ' Abstain also when neither holds but red cells in the urine are abnormal.'
      : '';
    return clinicalTask({
      ...COMMON,
      id: 'ckd/detection',
      labels: ['present', 'absent'],
      positiveLabel: 'present',
      ordered: false,
      pack: 'detection',
      // The label of the UCI file is its class, not what its values say.
      labelFromValues: isCohort,
      question:
        'Decide whether this person has chronic kidney disease. Take it that what is shown has been present for more than three months. Answer "present" or "absent".',
      rule: `${EGFR} Chronic kidney disease is present when eGFR is below 60 mL/min/1.73 m2, or with ${damage}, or on maintenance dialysis; it is absent when both are known and neither holds. Abstain in pregnancy and in acute kidney injury. Abstain under 18 years, when creatinine, age or sex is missing, when muscle mass is far from usual or after amputation, unless albumin alone settles that it is present; and abstain when eGFR is 60 or more and albumin was not measured.${sediment} Values close to a limit are no reason to abstain, since what is shown has lasted.`,
      deferralReasons: isCohort ? DETECTION_REASONS : UCI_DETECTION_REASONS,
      assess: isCohort ? assessDetection : assessUciDetection,
      glance({ creatinineMgDl, acrMgPerG, dipstick }) {
        const albumin = acrMgPerG === null ? (dipstick ?? 0) >= 1 : acrMgPerG >= ACR_CUT;
        return albumin || (creatinineMgDl ?? 0) >= CREATININE_CUT ? 'present' : 'absent';
      },
      lacks: (given) =>
        isNoAdult(given) ||
        given.creatinineMgDl === null ||
        (given.acrMgPerG === null && (isCohort || given.dipstick === null)),
    });
  },
  staging({ scale, deferAbove }) {
    const isFive = scale === 'five';
    const range = isFive ? '1, 2, 3, 4 or 5' : '1, 2, 3a, 3b, 4 or 5';
    const third = isFive ? '3: 30 to 59' : '3a: 45 to 59; 3b: 30 to 44';
    const edges = `1: 90 or more; 2: 60 to 89; ${third}; 4: 15 to 29; 5: below 15`;
    const variation = variationRule(
      'Creatinine varies by about 5 % in the same person from day to day, which moves eGFR by about 6 % (by 1 to 2 % below 0.7 mg/dL in women and 0.9 mg/dL in men).',
      deferAbove,
    );
    return clinicalTask({
      ...COMMON,
      id: 'ckd/staging',
      labels: STAGE_LABELS[scale],
      ordered: true,
      pack: 'staging',
      question: `State the KDIGO stage (GFR category) that you would record for this person, with GFR estimated by the CKD-EPI 2021 creatinine equation: ${range}, from normal to kidney failure.`,
      rule: `Stages by unrounded eGFR in mL/min/1.73 m2 (${edges}, each up to the next limit). Abstain when creatinine, age or sex is missing, or ${CANNOT_TELL}. ${variation} Doubt between 1 and 2 is no reason to abstain: it changes neither diagnosis nor risk.`,
      // Separates arithmetic from judgement: eGFR is worked out for the model, as laboratories print it.
      shown: {
        arm: 'egfr_shown',
        note: 'The estimated GFR is given.',
        label: 'Estimated GFR (CKD-EPI 2021, mL/min/1.73 m2)',
        line(given: CkdCase) {
          const egfr = ckdEpi2021(given);
          return egfr === null ? 'cannot be estimated' : Math.round(egfr);
        },
      },
      answering: 'staging',
      deferralReasons: STAGING_REASONS,
      assess: (given) => assessStage(given, scale, deferAbove),
      glance: ({ creatinineMgDl }) =>
        creatinineMgDl === null
          ? null
          : (STAGE_CUTS[scale].find(([from]) => creatinineMgDl >= from)?.[1] ?? 1),
      lacks: (given) => isNoAdult(given) || given.creatinineMgDl === null,
    });
  },
  progression: () =>
    clinicalTask({
      ...COMMON,
      id: 'ckd/progression',
      labels: ['stable', 'worsening', 'improving'],
      ordered: false,
      pack: 'progression',
      labelFromValues: false,
      question:
        'Decide how kidney function has developed over the visits shown: "stable", "worsening" or "improving".',
      rule: `${EGFR} Take the age at each visit. Worsening: from the first to the last visit GFR falls by 5 mL/min/1.73 m2 or more per year, or by 30 % or more, or by 25 % or more into a worse GFR category. Improving: the same run backwards (GFR rises by 5 or more per year, or the first value is 30 % or more below the last, or 25 % or more below it and in a worse category). Stable: it changes by less than 20 % and by less than 5 per year. The true course of this person is one of the three. Use all visits: a single value can be off. Abstain when fewer than three values are given, when they span less than a year, when age or sex is missing, or ${CANNOT_TELL}. Abstain also near a line: when eGFR changes by 17 to 33 % from the first to the last value, unless its least-squares slope through all values is steeper than 5.5 per year in the same direction, and when that slope is 4.5 to 5.5 per year, unless the change exceeds 33 % in the same direction.`,
      answering: 'judging the course',
      deferralReasons: PROGRESSION_REASONS,
      assess: assessCourse,
      glance({ visits }) {
        const measured = visits.flatMap(({ creatinineMgDl }) => creatinineMgDl ?? []);
        if (measured.length < 2) return null;
        const ratio = measured.at(-1)! / measured[0]!;
        return ratio >= CHANGE_CUT ? 'worsening' : ratio <= 1 / CHANGE_CUT ? 'improving' : 'stable';
      },
      lacks: (given) =>
        isNoAdult(given) || given.visits.some(({ creatinineMgDl }) => creatinineMgDl === null),
    }),
};
