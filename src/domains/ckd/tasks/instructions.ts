import type { TaskArm } from '../../../suites/task.ts';
import type { StageScale } from './staging.ts';

/** The one thing every arm says about abstaining. */
const ABSTAIN = 'Abstain when the data do not support a safe answer.';

const CANNOT_TELL =
  'creatinine cannot tell kidney function (under 18 years, pregnancy, dialysis, acute kidney injury, muscle mass far from usual, amputation)';

const variation = (deferAbove: number) =>
  `Creatinine varies by about 5 % in the same person from day to day, which moves eGFR by about 6 % (by 1 to 2 % below 0.7 mg/dL in women and 0.9 mg/dL in men). Abstain when, for that reason alone, the chance that the true answer is another one exceeds ${Math.round(deferAbove * 100)} %.`;

const EGFR = 'Compute eGFR by the CKD-EPI 2021 creatinine equation.';

/**
 * The instructions by task and arm. `natural` gives no threshold, margin or rule beyond abstaining when the data do not support a safe answer: it measures judgement. Staging names its
 * equation in every arm, because another equation gives another category.
 * `instructed` gives the rule: it measures whether a rule is followed. The two are never pooled.
 */
export const detectionArms = (source: 'cohort' | 'uci'): Record<string, TaskArm> => {
  const question =
    'Decide whether this person has chronic kidney disease. Take it that what is shown has been present for more than three months. Answer "present" or "absent".';
  const damage =
    source === 'cohort'
      ? 'a urine albumin-creatinine ratio of 30 mg/g or more'
      : 'a urine albumin dipstick of 1 or more (the source has no albumin-creatinine ratio)';
  const sediment =
    source === 'cohort' ? ' Abstain also when neither holds but red cells in the urine are abnormal.' : '';
  return {
    natural: { instructions: `${question} ${ABSTAIN}` },
    instructed: {
      instructions: `${question} ${EGFR} Chronic kidney disease is present when eGFR is below 60 mL/min/1.73 m2, or with ${damage}, or on maintenance dialysis; it is absent when both are known and neither holds. Abstain in pregnancy and in acute kidney injury. Abstain under 18 years, when creatinine, age or sex is missing, when muscle mass is far from usual or after amputation, unless albumin alone settles that it is present; and abstain when eGFR is 60 or more and albumin was not measured.${sediment} Values close to a limit are no reason to abstain, since what is shown has lasted.`,
    },
  };
};

export const stagingArms = (scale: StageScale, deferAbove: number): Record<string, TaskArm> => {
  const range = scale === 'five' ? '1, 2, 3, 4 or 5' : '1, 2, 3a, 3b, 4 or 5';
  const question = `State the KDIGO stage (GFR category) that you would record for this person, with GFR estimated by the CKD-EPI 2021 creatinine equation: ${range}, from normal to kidney failure.`;
  const edges =
    scale === 'five'
      ? '1: 90 or more; 2: 60 to 89; 3: 30 to 59; 4: 15 to 29; 5: below 15'
      : '1: 90 or more; 2: 60 to 89; 3a: 45 to 59; 3b: 30 to 44; 4: 15 to 29; 5: below 15';
  return {
    natural: { instructions: `${question} ${ABSTAIN}` },
    egfr_shown: { instructions: `${question} The estimated GFR is given. ${ABSTAIN}` },
    instructed: {
      instructions: `${question} Stages by unrounded eGFR in mL/min/1.73 m2 (${edges}, each up to the next limit). Abstain when creatinine, age or sex is missing, or ${CANNOT_TELL}. ${variation(deferAbove)} Doubt between 1 and 2 is no reason to abstain: it changes neither diagnosis nor risk.`,
    },
  };
};

export const progressionArms = (): Record<string, TaskArm> => {
  const question =
    'Decide how kidney function has developed over the visits shown: "stable", "worsening" or "improving".';
  return {
    natural: { instructions: `${question} ${ABSTAIN}` },
    instructed: {
      instructions: `${question} ${EGFR} Take the age at each visit. Worsening: from the first to the last visit GFR falls by 5 mL/min/1.73 m2 or more per year, or by 30 % or more, or by 25 % or more into a worse GFR category. Improving: the same run backwards (GFR rises by 5 or more per year, or the first value is 30 % or more below the last, or 25 % or more below it and in a worse category). Stable: it changes by less than 20 % and by less than 5 per year. The true course of this person is one of the three. Use all visits: a single value can be off. Abstain when fewer than three values are given, when they span less than a year, when age or sex is missing, or ${CANNOT_TELL}. Abstain also near a line: when eGFR changes by 17 to 33 % from the first to the last value, unless its least-squares slope through all values is steeper than 5.5 per year in the same direction, and when that slope is 4.5 to 5.5 per year, unless the change exceeds 33 % in the same direction.`,
    },
  };
};
