import type { FeatureValue } from '../../core/patient-record.ts';
import { ckdEpi2021 } from '../ckd/equations/ckd-epi.ts';
import { CONTEXT, type Field, type Lines, NO_CONTEXT, numberOrNull, recordForm } from '../cohort/fields.ts';
import type { Person } from '../cohort/people.ts';
import type { Danger, Pressure } from './blood-pressure.ts';
import type { Adult, Known } from './cohort/adults.ts';
import { ORGAN_DAMAGE, REMARKS } from './cohort/draws.ts';
import type { DualSetting } from './cohort/dual-setting.ts';
import type { Treated } from './cohort/treated.ts';
import { type BpVisit, clinicMean } from './office-average.ts';
import { preventTotalCvd } from './prevent.ts';
import type { ClassificationCase } from './tasks/classification.ts';
import type { FollowUpCase } from './tasks/follow-up.ts';
import type { OutOfOffice, PhenotypeCase } from './tasks/phenotype.ts';
import type { TreatmentCase } from './tasks/treatment.ts';

const READINGS = 'readings (mmHg)';
const ARM_CM = 'Arm circumference (cm)';
const ARM = 'Arm measured';
const ARMS_COMPARED = /^the one with the (higher|lower) pressure, arms differ by (\d+) mmHg$/;
const NO_COMPARISON = 'one arm only, arms not compared';
const RESTED = 'seated quietly for five minutes';
const NOT_RESTED = 'none, measured on arrival while talking';
const NOT_RECORDED = 'not recorded';
const METHODS = {
  home: 'at home',
  ambulatory_day: 'ambulatory, awake',
  ambulatory_24h: 'ambulatory, 24 hours',
} as const;
const OUTSIDE_MEAN = 'Out-of-office blood pressure, mean (mmHg)';
const HOME_DAYS = 'Days of home readings';
const HOME_READINGS = 'Number of home readings';
const VALID_PERCENT = 'Valid ambulatory readings (%)';

const DAMAGE: ReadonlySet<unknown> = new Set(ORGAN_DAMAGE);
const ACUTE: ReadonlySet<unknown> = new Set(REMARKS.acute);

const pressureText = ([sbp, dbp]: Pressure) => `${sbp}/${dbp}`;

/** "132/84" as two numbers. */
function readPressure(value: FeatureValue | undefined): Pressure | null {
  if (typeof value !== 'string') return null;
  const slash = value.indexOf('/');
  return [Number(value.slice(0, slash)), Number(value.slice(slash + 1))];
}

/** Who a record is about, as far as every task shows it. */
interface ShownPerson extends Person {
  /** Default: false. */
  readonly pregnant?: boolean;
  readonly remark: string | null;
  readonly symptoms: string;
}

const PERSON_FIELDS = {
  age: { label: 'Age (years)', show: ({ age }: Person) => age, read: numberOrNull },
  sex: { label: 'Sex', show: ({ sex }: Person) => sex },
  ethnicity: { label: 'Ethnicity (self-described)', show: ({ ethnicity }: Person) => ethnicity },
  pregnant: {
    label: CONTEXT,
    show: ({ pregnant, remark }: Pick<ShownPerson, 'pregnant' | 'remark'>) =>
      pregnant ? REMARKS.pregnant : (remark ?? NO_CONTEXT),
    read: (words): boolean => String(words).startsWith('pregnant'),
  },
  organDamage: {
    label: 'Symptoms and signs now',
    show: ({ symptoms }) => symptoms,
    read: (words): boolean => DAMAGE.has(words),
  },
} as const satisfies Record<string, Field<ShownPerson>>;

/** Fields that decide nothing; each is missing independently of everything, by its bit of `gaps`. */
type Background = Pick<Adult, 'background' | 'pulseRate' | 'gaps'>;

const unlessMissing = (label: string, bit: number, value: (person: Background) => number) => ({
  label,
  show: (person: Background) => (person.gaps & bit ? null : value(person)),
});

const BACKGROUND_FIELDS = {
  pulseRate: unlessMissing('Pulse rate (per minute)', 1, ({ pulseRate }) => pulseRate),
  bmi: unlessMissing('Body mass index (kg/m2)', 2, ({ background }) => background.bmi),
  hba1c: unlessMissing('HbA1c (%)', 4, ({ background }) => background.hba1cPercent),
};
const CHOLESTEROL = 'Total cholesterol (mg/dL)';
const HDL = 'HDL cholesterol (mg/dL)';
const CREATININE = 'Serum creatinine (mg/dL)';
const BLOOD_FIELDS = {
  cholesterol: unlessMissing(CHOLESTEROL, 8, ({ background }) => background.totalCholesterolMgDl),
  hdl: unlessMissing(HDL, 16, ({ background }) => background.hdlMgDl),
  creatinine: unlessMissing(CREATININE, 32, ({ background }) => background.creatinineMgDl),
};

const VISITS_FIELD = {
  label: 'Office visits',
  show: ({ visits }: { readonly visits: readonly BpVisit[] }) =>
    visits.map(({ day, readings }) => ({ day, [READINGS]: readings.map(pressureText) })),
  read: (visits: FeatureValue = []): BpVisit[] =>
    (visits as readonly Lines[]).map((visit) => ({
      day: numberOrNull(visit.day),
      readings: ((visit[READINGS] ?? []) as readonly string[]).map((text) => readPressure(text)!),
    })),
};

export const CLASSIFICATION_FORM = recordForm<Adult, ClassificationCase>({
  ...PERSON_FIELDS,
  pregnant: {
    ...PERSON_FIELDS.pregnant,
    show: ({ acute, remark, ...adult }) => PERSON_FIELDS.pregnant.show({ ...adult, remark: acute ?? remark }),
  },
  acuteState: { label: CONTEXT, read: (words) => ACUTE.has(words) },
  cuff: {
    label: 'Cuff',
    show: ({ cuff }) => cuff ?? NOT_RECORDED,
    // A cuff fits by the range that its name gives.
    read(cuff, features) {
      const range = /\(([\d.]+) to ([\d.]+) cm\)/.exec(String(cuff));
      const arm = numberOrNull(features[ARM_CM]);
      if (range === null || arm === null) return null;
      return arm > Number(range[2]) ? 'too_small' : arm < Number(range[1]) ? 'too_large' : 'right';
    },
  },
  armCm: { label: ARM_CM, show: ({ armCm }) => armCm },
  rested: {
    label: 'Rest before measuring',
    show: ({ rested }) => (rested === null ? NOT_RECORDED : rested ? RESTED : NOT_RESTED),
    read: (rest) => (rest === RESTED ? true : rest === NOT_RESTED ? false : null),
  },
  armMeasured: {
    label: ARM,
    show: ({ arm }) =>
      arm === null
        ? NO_COMPARISON
        : `the one with the ${arm.measured} pressure, arms differ by ${arm.difference} mmHg`,
    read: (arm) => (ARMS_COMPARED.exec(String(arm))?.[1] ?? null) as 'higher' | 'lower' | null,
  },
  armDifferenceMmHg: {
    label: ARM,
    read(arm) {
      const difference = ARMS_COMPARED.exec(String(arm))?.[2];
      return difference === undefined ? null : Number(difference);
    },
  },
  rhythm: {
    label: 'Pulse',
    show: ({ rhythm }) => (rhythm === 'regular' ? 'regular' : 'irregular, atrial fibrillation'),
    read: (pulse) => (String(pulse).startsWith('irregular') ? 'atrial_fibrillation' : 'regular'),
  },
  ...BACKGROUND_FIELDS,
  ...BLOOD_FIELDS,
  smoking: {
    label: 'Smoking',
    show: ({ gaps, smoker }) => (gaps & 64 ? NOT_RECORDED : smoker ? 'yes' : 'no'),
  },
  visits: VISITS_FIELD,
});

/** What a survey knows of a person at its one visit. */
export interface SurveyedPerson extends Omit<ShownPerson, 'symptoms'>, Pick<Adult, 'cuff' | 'visits'> {
  readonly armCm: number | null;
  readonly isIrregular: boolean | null;
}

/** A record of classification from a survey: the same lines, and fewer of them. */
export const SURVEY_FORM = recordForm<SurveyedPerson, object>({
  ...PERSON_FIELDS,
  organDamage: { label: PERSON_FIELDS.organDamage.label, show: () => NOT_RECORDED },
  cuff: { label: 'Cuff', show: ({ cuff }) => cuff ?? NOT_RECORDED },
  armCm: { label: ARM_CM, show: ({ armCm }) => armCm },
  rest: { label: 'Rest before measuring', show: () => NOT_RECORDED },
  arm: { label: ARM, show: () => NO_COMPARISON },
  pulse: {
    label: 'Pulse',
    show: ({ isIrregular }) => (isIrregular === null ? NOT_RECORDED : isIrregular ? 'irregular' : 'regular'),
  },
  visits: VISITS_FIELD,
});

const OFFICE_MEAN = 'Office blood pressure, mean of all visits (mmHg)';
const N_VISITS = 'Number of office visits';

/** A condition that is known or not. */
const condition = (label: string, value: (adult: Adult) => Known) => ({
  label,
  show: (adult: Adult) => value(adult) ?? 'not known',
  read: (words: FeatureValue | undefined) => (words === 'yes' ? true : words === 'no' ? false : null),
});

/** An untreated adult with the risk that the record shows. */
interface AdultWithRisk extends Adult {
  readonly risk: number | null;
}

/** Inputs of the risk: they are shown with it, and without it at least one is not. */
const riskInput = <T extends FeatureValue>(
  label: string,
  bit: number,
  value: (adult: Adult) => FeatureValue,
  withheld: T,
) => ({
  label,
  show: (adult: AdultWithRisk) => (adult.risk === null && adult.riskGaps & bit ? withheld : value(adult)),
});

export const TREATMENT_FORM = recordForm<AdultWithRisk, TreatmentCase>({
  ...PERSON_FIELDS,
  mean: {
    label: OFFICE_MEAN,
    show: ({ visits }) => pressureText(clinicMean(visits)),
    read: readPressure,
  },
  nVisits: { label: N_VISITS, show: ({ visits }) => visits.length, read: numberOrNull },
  cvd: condition('Cardiovascular disease (heart attack, stroke, heart failure)', ({ cvd }) => cvd),
  diabetes: condition('Diabetes', ({ diabetes }) => diabetes),
  ckd: condition('Chronic kidney disease', ({ ckd }) => ckd),
  preventPercent: {
    label: '10-year risk of cardiovascular disease by PREVENT (%)',
    show: ({ risk }) => risk,
    read: numberOrNull,
  },
  lifestyleMonths: {
    label: 'Lifestyle change tried so far (months)',
    show: ({ lifestyleMonths }) => lifestyleMonths,
    read: numberOrNull,
  },
  cholesterol: riskInput(CHOLESTEROL, 1, ({ background }) => background.totalCholesterolMgDl, null),
  hdl: riskInput(HDL, 2, ({ background }) => background.hdlMgDl, null),
  creatinine: riskInput(CREATININE, 4, ({ background }) => background.creatinineMgDl, null),
  smoking: riskInput('Smoking', 8, ({ smoker }) => (smoker ? 'yes' : 'no'), NOT_RECORDED),
  statin: { label: 'Takes a statin', show: ({ statin }) => (statin ? 'yes' : 'no') },
  ...BACKGROUND_FIELDS,
});

/** PREVENT at one decimal; none with known cardiovascular disease or outside its ages. */
export function withRisk(adult: Adult): AdultWithRisk {
  const { age, sex, background, cvd, diabetes, smoker, statin } = adult;
  const egfr = ckdEpi2021({ creatinineMgDl: background.creatinineMgDl, age, sex });
  if (!adult.hasRisk || cvd === 'yes' || egfr === null) return { ...adult, risk: null };
  const risk = preventTotalCvd({
    sex,
    age,
    totalCholesterolMgDl: background.totalCholesterolMgDl,
    hdlMgDl: background.hdlMgDl,
    sbp: clinicMean(adult.visits)[0],
    egfr,
    bpTreated: false,
    statin,
    diabetes: diabetes === 'yes',
    smoker,
  });
  return { ...adult, risk: risk === null ? null : Math.round(risk * 10) / 10 };
}

/** Reads the single readings that one look goes by as well. */
export const PHENOTYPE_FORM = recordForm<
  DualSetting,
  PhenotypeCase & Record<'lastOffice' | 'lastOutside', Pressure | null>
>({
  ...PERSON_FIELDS,
  onTreatment: {
    label: 'Drugs for blood pressure',
    show: ({ drugs }) => drugs ?? 'none',
    read: (drugs = 'none') => drugs !== 'none',
  },
  officeMean: {
    label: OFFICE_MEAN,
    show: ({ officeMean }) => pressureText(officeMean!),
    read: readPressure,
  },
  officeVisits: { label: N_VISITS, show: ({ officeVisits }) => officeVisits, read: numberOrNull },
  lastOffice: {
    label: 'Last single office reading (mmHg)',
    show: ({ lastOffice }) => pressureText(lastOffice),
    read: readPressure,
  },
  outOfOffice: {
    label: 'Measured outside the office',
    show: ({ outOfOffice }) => (outOfOffice === null ? 'nothing' : METHODS[outOfOffice.setting]),
    read(method, features) {
      const settings = Object.keys(METHODS) as OutOfOffice['setting'][];
      const setting = settings.find((name) => METHODS[name] === method);
      if (setting === undefined) return null;
      return {
        setting,
        mean: readPressure(features[OUTSIDE_MEAN]),
        days: numberOrNull(features[HOME_DAYS]),
        readings: numberOrNull(features[HOME_READINGS]),
        validPercent: numberOrNull(features[VALID_PERCENT]),
      };
    },
  },
  outsideMean: {
    label: OUTSIDE_MEAN,
    show: ({ outOfOffice }) => outOfOffice?.mean && pressureText(outOfOffice.mean),
  },
  lastOutside: {
    label: 'Last single out-of-office reading (mmHg)',
    show: ({ lastOutside }) => (lastOutside === null ? undefined : pressureText(lastOutside)),
    read: readPressure,
  },
  days: {
    label: HOME_DAYS,
    show: ({ outOfOffice }) => (outOfOffice?.setting === 'home' ? outOfOffice.days : undefined),
  },
  readings: {
    label: HOME_READINGS,
    show: ({ outOfOffice }) => (outOfOffice?.setting === 'home' ? outOfOffice.readings : undefined),
  },
  validPercent: {
    label: VALID_PERCENT,
    show: ({ outOfOffice }) =>
      outOfOffice === null || outOfOffice.setting === 'home' ? undefined : outOfOffice.validPercent,
  },
  ...BACKGROUND_FIELDS,
  ...BLOOD_FIELDS,
});

export const FOLLOW_UP_FORM = recordForm<Treated, FollowUpCase & Danger & Pick<PhenotypeCase, 'age'>>({
  ...PERSON_FIELDS,
  change: { label: 'Last change of drugs', show: ({ change }) => change },
  treatmentChangedDay: {
    label: 'Day of the last change of drugs',
    show: ({ changedDay }) => changedDay,
    read: numberOrNull,
  },
  ...BACKGROUND_FIELDS,
  ...BLOOD_FIELDS,
  visits: VISITS_FIELD,
});
