import type { FeatureValue } from '../../core/index.ts';
import type { Features } from '../../suites/task.ts';
import { ckdEpi2021 } from '../ckd/equations/ckd-epi.ts';
import type { BackgroundValues } from '../cohort/background-values.ts';
import type { Person } from '../cohort/people.ts';
import type { Pressure } from './blood-pressure.ts';
import type { Adult, Known } from './cohort/adults.ts';
import type { DualSetting } from './cohort/dual-setting.ts';
import { ORGAN_DAMAGE, REMARKS } from './cohort/phrases.ts';
import type { Treated } from './cohort/treated.ts';
import { type BpVisit, clinicMean } from './office-average.ts';
import { preventTotalCvd } from './prevent.ts';
import type { ClassificationCase } from './tasks/classification.ts';
import type { FollowUpCase } from './tasks/follow-up.ts';
import type { OutOfOffice, PhenotypeCase } from './tasks/phenotype.ts';
import type { TreatmentCase } from './tasks/treatment.ts';

/** The names of what is shown. */
export const SHOWN = {
  age: 'Age (years)',
  sex: 'Sex',
  ethnicity: 'Ethnicity (self-described)',
  context: 'Clinical context',
  symptoms: 'Symptoms and signs now',
  cuff: 'Cuff',
  armCm: 'Arm circumference (cm)',
  rest: 'Rest before measuring',
  arm: 'Arm measured',
  pulse: 'Pulse',
  pulseRate: 'Pulse rate (per minute)',
  bmi: 'Body mass index (kg/m2)',
  cholesterol: 'Total cholesterol (mg/dL)',
  hdl: 'HDL cholesterol (mg/dL)',
  creatinine: 'Serum creatinine (mg/dL)',
  hba1c: 'HbA1c (%)',
  smoking: 'Smoking',
  statin: 'Takes a statin',
  visits: 'Office visits',
  readings: 'readings (mmHg)',
  officeMean: 'Office blood pressure, mean of all visits (mmHg)',
  nVisits: 'Number of office visits',
  cvd: 'Cardiovascular disease (heart attack, stroke, heart failure)',
  diabetes: 'Diabetes',
  ckd: 'Chronic kidney disease',
  risk: '10-year risk of cardiovascular disease by PREVENT (%)',
  months: 'Lifestyle change tried so far (months)',
  drugs: 'Drugs for blood pressure',
  method: 'Measured outside the office',
  outsideMean: 'Out-of-office blood pressure, mean (mmHg)',
  lastOffice: 'Last single office reading (mmHg)',
  lastOutside: 'Last single out-of-office reading (mmHg)',
  days: 'Days of home readings',
  nReadings: 'Number of home readings',
  valid: 'Valid ambulatory readings (%)',
  changedDay: 'Day of the last change of drugs',
  change: 'Last change of drugs',
} as const;

const RESTED = 'seated quietly for five minutes';
const NOT_RESTED = 'none, measured on arrival while talking';
const FIBRILLATION = 'irregular, atrial fibrillation';
const NO_COMPARISON = 'one arm only, arms not compared';
const NOT_KNOWN = 'not known';
const NOT_RECORDED = 'not recorded';
const METHODS = {
  home: 'at home',
  ambulatory_day: 'ambulatory, awake',
  ambulatory_24h: 'ambulatory, 24 hours',
} as const;
const NO_METHOD = 'nothing';

type Draft = { [name: string]: FeatureValue };
type Cells = { readonly [name: string]: FeatureValue };

const pressureText = ([sbp, dbp]: Pressure) => `${sbp}/${dbp}`;

function person({ age, sex, ethnicity }: Person): Draft {
  return { [SHOWN.age]: age, [SHOWN.sex]: sex, [SHOWN.ethnicity]: ethnicity };
}

/** Fields that decide nothing; each is missing independently of everything. */
function addBackground(to: Draft, values: BackgroundValues, gaps: number, pulseRate: number): void {
  to[SHOWN.pulseRate] = gaps & 1 ? null : pulseRate;
  to[SHOWN.bmi] = gaps & 2 ? null : values.bmi;
  to[SHOWN.hba1c] = gaps & 4 ? null : values.hba1cPercent;
}

function addLipids(to: Draft, values: BackgroundValues, gaps: number): void {
  to[SHOWN.cholesterol] = gaps & 8 ? null : values.totalCholesterolMgDl;
  to[SHOWN.hdl] = gaps & 16 ? null : values.hdlMgDl;
  to[SHOWN.creatinine] = gaps & 32 ? null : values.creatinineMgDl;
}

function showVisits(visits: readonly BpVisit[]): FeatureValue {
  return visits.map(({ day, readings }) => ({ day, [SHOWN.readings]: readings.map(pressureText) }));
}

export function showClassification(adult: Adult): Features {
  const features = person(adult);
  features[SHOWN.context] = adult.pregnant ? REMARKS.pregnant : (adult.acute ?? adult.remark ?? REMARKS.none);
  features[SHOWN.symptoms] = adult.symptoms;
  features[SHOWN.cuff] = adult.cuff ?? NOT_RECORDED;
  features[SHOWN.armCm] = adult.armCm;
  features[SHOWN.rest] = adult.rested === null ? NOT_RECORDED : adult.rested ? RESTED : NOT_RESTED;
  features[SHOWN.arm] =
    adult.arm === null
      ? NO_COMPARISON
      : `the one with the ${adult.arm.measured} pressure, arms differ by ${adult.arm.difference} mmHg`;
  features[SHOWN.pulse] = adult.rhythm === 'regular' ? 'regular' : FIBRILLATION;
  addBackground(features, adult.background, adult.gaps, adult.pulseRate);
  addLipids(features, adult.background, adult.gaps);
  features[SHOWN.smoking] = adult.gaps & 64 ? NOT_RECORDED : adult.smoker ? 'yes' : 'no';
  features[SHOWN.visits] = showVisits(adult.visits);
  return features;
}

/** What a survey knows of a person at its one visit. */
export function showSurveyed(
  who: Person,
  given: {
    readonly isPregnant: boolean;
    readonly cuff: string | null;
    readonly armCm: number | null;
    readonly isIrregular: boolean | null;
    readonly readings: readonly Pressure[];
  },
): Features {
  const features = person(who);
  features[SHOWN.context] = given.isPregnant ? 'pregnant' : REMARKS.none;
  features[SHOWN.symptoms] = NOT_RECORDED;
  features[SHOWN.cuff] = given.cuff ?? NOT_RECORDED;
  features[SHOWN.armCm] = given.armCm;
  features[SHOWN.rest] = NOT_RECORDED;
  features[SHOWN.arm] = NO_COMPARISON;
  features[SHOWN.pulse] =
    given.isIrregular === null ? NOT_RECORDED : given.isIrregular ? 'irregular' : 'regular';
  features[SHOWN.visits] = showVisits([{ day: 0, readings: given.readings }]);
  return features;
}

export function showTreatment(adult: Adult): Features {
  const shown = clinicMean(adult.visits);
  const risk = adult.hasRisk ? riskOf(adult, shown[0]) : null;
  const { background } = adult;
  const features = person(adult);
  features[SHOWN.context] = adult.pregnant ? REMARKS.pregnant : (adult.remark ?? REMARKS.none);
  features[SHOWN.symptoms] = adult.symptoms;
  features[SHOWN.officeMean] = pressureText(shown);
  features[SHOWN.nVisits] = adult.visits.length;
  features[SHOWN.cvd] = adult.cvd ?? NOT_KNOWN;
  features[SHOWN.diabetes] = adult.diabetes ?? NOT_KNOWN;
  features[SHOWN.ckd] = adult.ckd ?? NOT_KNOWN;
  features[SHOWN.risk] = risk;
  features[SHOWN.months] = adult.lifestyleMonths;
  // The risk is computed from these, so they are shown with it, and without it at least one is not.
  const withheld = risk === null ? adult.riskGaps : 0;
  features[SHOWN.cholesterol] = withheld & 1 ? null : background.totalCholesterolMgDl;
  features[SHOWN.hdl] = withheld & 2 ? null : background.hdlMgDl;
  features[SHOWN.creatinine] = withheld & 4 ? null : background.creatinineMgDl;
  features[SHOWN.smoking] = withheld & 8 ? NOT_RECORDED : adult.smoker ? 'yes' : 'no';
  features[SHOWN.statin] = adult.statin ? 'yes' : 'no';
  addBackground(features, background, adult.gaps, adult.pulseRate);
  return features;
}

/** PREVENT at one decimal; none with known cardiovascular disease or outside its ages. */
function riskOf({ age, sex, background, cvd, diabetes, smoker, statin }: Adult, sbp: number): number | null {
  if (cvd === 'yes') return null;
  const egfr = ckdEpi2021({ creatinineMgDl: background.creatinineMgDl, age, sex });
  if (egfr === null) return null;
  const risk = preventTotalCvd({
    sex,
    age,
    totalCholesterolMgDl: background.totalCholesterolMgDl,
    hdlMgDl: background.hdlMgDl,
    sbp,
    egfr,
    bpTreated: false,
    statin,
    diabetes: diabetes === 'yes',
    smoker,
  });
  return risk === null ? null : Math.round(risk * 10) / 10;
}

export function showPhenotype(given: DualSetting): Features {
  const features = person(given);
  const outside = given.outOfOffice;
  features[SHOWN.context] = given.pregnant ? REMARKS.pregnant : (given.remark ?? REMARKS.none);
  features[SHOWN.symptoms] = given.symptoms;
  features[SHOWN.drugs] = given.drugs ?? 'none';
  features[SHOWN.officeMean] = pressureText(given.officeMean!);
  features[SHOWN.nVisits] = given.officeVisits;
  features[SHOWN.lastOffice] = pressureText(given.lastOffice);
  features[SHOWN.method] = outside === null ? NO_METHOD : METHODS[outside.setting];
  if (outside !== null) {
    features[SHOWN.outsideMean] = pressureText(outside.mean!);
    features[SHOWN.lastOutside] = pressureText(given.lastOutside!);
    if (outside.setting === 'home') {
      features[SHOWN.days] = outside.days;
      features[SHOWN.nReadings] = outside.readings;
    } else features[SHOWN.valid] = outside.validPercent;
  }
  addBackground(features, given.background, given.gaps, given.pulseRate);
  addLipids(features, given.background, given.gaps);
  return features;
}

export function showFollowUp(given: Treated): Features {
  const features = person(given);
  features[SHOWN.context] = given.remark ?? REMARKS.none;
  features[SHOWN.symptoms] = given.symptoms;
  features[SHOWN.change] = given.change;
  features[SHOWN.changedDay] = given.changedDay;
  addBackground(features, given.background, given.gaps, given.pulseRate);
  addLipids(features, given.background, given.gaps);
  features[SHOWN.visits] = showVisits(given.visits);
  return features;
}

// Read back from what is shown, and from nothing else.

function numberIn(features: Cells, name: string): number | null {
  const value = features[name];
  return typeof value === 'number' ? value : null;
}

/** "132/84" as two numbers. */
function pressureIn(value: FeatureValue | undefined): Pressure | null {
  if (typeof value !== 'string') return null;
  const slash = value.indexOf('/');
  return [Number(value.slice(0, slash)), Number(value.slice(slash + 1))];
}

export function visitsIn(features: Features): BpVisit[] {
  const visits = (features[SHOWN.visits] ?? []) as readonly Cells[];
  return visits.map((visit) => ({
    day: numberIn(visit, 'day'),
    readings: ((visit[SHOWN.readings] ?? []) as readonly FeatureValue[]).map((text) => pressureIn(text)!),
  }));
}

const DAMAGE: ReadonlySet<unknown> = new Set(ORGAN_DAMAGE);
const ACUTE: ReadonlySet<unknown> = new Set(REMARKS.acute);

export const dangerIn = (features: Features) => ({
  organDamage: DAMAGE.has(features[SHOWN.symptoms]),
  pregnant: String(features[SHOWN.context]).startsWith('pregnant'),
});

/** Whether the record mentions anything under clinical context, of consequence or not. */
export function hasContextLine(features: Features): boolean {
  return (features[SHOWN.context] ?? REMARKS.none) !== REMARKS.none;
}

/** The fit of a cuff by the range that its name gives. */
function cuffIn(features: Features): ClassificationCase['cuff'] {
  const range = /\(([\d.]+) to ([\d.]+) cm\)/.exec(String(features[SHOWN.cuff]));
  const arm = numberIn(features, SHOWN.armCm);
  if (range === null || arm === null) return null;
  return arm > Number(range[2]) ? 'too_small' : arm < Number(range[1]) ? 'too_large' : 'right';
}

export function readClassification(features: Features): ClassificationCase {
  const rest = features[SHOWN.rest];
  const arm = /^the one with the (higher|lower) pressure, arms differ by (\d+) mmHg$/.exec(
    String(features[SHOWN.arm]),
  );
  return {
    ...dangerIn(features),
    visits: visitsIn(features),
    age: numberIn(features, SHOWN.age),
    cuff: cuffIn(features),
    rested: rest === RESTED ? true : rest === NOT_RESTED ? false : null,
    armMeasured: arm === null ? null : (arm[1] as 'higher' | 'lower'),
    armDifferenceMmHg: arm === null ? null : Number(arm[2]),
    rhythm: String(features[SHOWN.pulse]).startsWith('irregular') ? 'atrial_fibrillation' : 'regular',
    acuteState: ACUTE.has(features[SHOWN.context]),
  };
}

const known = (value: FeatureValue | Known | undefined) =>
  value === 'yes' ? true : value === 'no' ? false : null;

export function readTreatment(features: Features): TreatmentCase {
  return {
    ...dangerIn(features),
    mean: pressureIn(features[SHOWN.officeMean]),
    nVisits: numberIn(features, SHOWN.nVisits),
    age: numberIn(features, SHOWN.age),
    cvd: known(features[SHOWN.cvd]),
    diabetes: known(features[SHOWN.diabetes]),
    ckd: known(features[SHOWN.ckd]),
    preventPercent: numberIn(features, SHOWN.risk),
    lifestyleMonths: numberIn(features, SHOWN.months),
  };
}

export function readPhenotype(features: Features): PhenotypeCase {
  return {
    ...dangerIn(features),
    age: numberIn(features, SHOWN.age),
    onTreatment: features[SHOWN.drugs] !== undefined && features[SHOWN.drugs] !== 'none',
    officeMean: pressureIn(features[SHOWN.officeMean]),
    officeVisits: numberIn(features, SHOWN.nVisits),
    outOfOffice: outOfOfficeIn(features),
  };
}

function outOfOfficeIn(features: Features): OutOfOffice | null {
  const setting = (Object.keys(METHODS) as OutOfOffice['setting'][]).find(
    (name) => METHODS[name] === features[SHOWN.method],
  );
  if (setting === undefined) return null;
  return {
    setting,
    mean: pressureIn(features[SHOWN.outsideMean]),
    days: numberIn(features, SHOWN.days),
    readings: numberIn(features, SHOWN.nReadings),
    validPercent: numberIn(features, SHOWN.valid),
  };
}

export function readFollowUp(features: Features): FollowUpCase {
  return {
    visits: visitsIn(features),
    treatmentChangedDay: numberIn(features, SHOWN.changedDay),
    organDamage: dangerIn(features).organDamage,
  };
}

/** The single readings that a glance goes by. */
export function lastReadings(features: Features) {
  return { office: pressureIn(features[SHOWN.lastOffice]), outside: pressureIn(features[SHOWN.lastOutside]) };
}
