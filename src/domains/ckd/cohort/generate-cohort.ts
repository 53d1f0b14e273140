import { createRandom, type Random } from '../../../statistics/random.ts';
import { optionError } from '../../../suites/suite-option.ts';
import { chance, normal, roundToStep, uniform } from '../../cohort/distributions.ts';
import type { Context } from '../case.ts';
import { ADULT_AGE, creatinineForEgfr, type Sex } from '../equations/ckd-epi.ts';
import { aCategoryFromMgPerG, gCategory, isCkd } from '../equations/kdigo.ts';
import { ACR_LOG_SD, logCreatinineSd } from '../equations/variation.ts';
import type { CohortPatient, CohortVisit } from '../patient.ts';
import { UCI_FEATURES, type UciFeature, type UciValue } from '../source/columns.ts';
import { type DrawnAnalytes, drawAnalytes } from './analytes.ts';
import { chooseProfile, type Demographics, drawDemographics, type Group } from './groups.ts';
import { drawKidneyState } from './kidney-function.ts';
import { drawMissedAtVisits, drawMissing, MISSINGNESS, type Missingness } from './missingness.ts';
import { REPORTED_STEP, reportedAcr } from './published.ts';
import data from './remarks.json' with { type: 'json' };
import { DAYS_PER_YEAR, type DatedGfr, drawTrajectory } from './trajectory.ts';
import { type Course, trueCourse } from './true-course.ts';

const MAX_COHORT = 100_000;

/**
 * A generated cohort: the schema of the UCI Chronic Kidney Disease data plus sex, albumin-creatinine ratio and dated
 * visits, with the truth behind them. None of its patients is real.
 *
 * Each patient is drawn in this order, and nothing from what comes later: sex, age, group; true GFR and ACR; the course
 * that led there; states that disturb creatinine, and remarks that matter to nothing; creatinine from true GFR by CKD-EPI 2021 turned round, times measured
 * variation; all other columns from published quantiles through a Gaussian copula; a few values that need action today; which cells are missing. The
 * comment of each step's file states the assumptions. Values are rounded to reported precision.
 *
 * The same n and seed give the same patients; patient i is the same for every n above i, and for both arms of
 * `missingness` but for what is missing.
 *
 * @example
 * ```ts
 * generateCohort({ n: 3, seed: 42 }).length // => 3
 * generateCohort({ n: 1, seed: 42 })[0].visits.at(-1).daysBeforeIndex // => 0
 * ```
 */
export function generateCohort(options: CohortOptions): CohortPatient[] {
  return [...streamCohort(options)];
}

export interface CohortOptions {
  readonly n: number;
  readonly seed: number;
  readonly missingness?: Missingness;
  /** Patients for whom this is true are drawn but left out; n is reached without them. Default: none. */
  readonly leaveOut?: (patient: CohortPatient) => boolean;
}

export function checkCohortSize(n: number): void {
  if (!(Number.isInteger(n) && n >= 1 && n <= MAX_COHORT))
    throw optionError(`cohort size is ${n}; expected a whole number from 1 to ${MAX_COHORT}`, n);
}

/** The same patients one by one, for those who do not need them all at once. */
export function* streamCohort({
  n,
  seed,
  missingness = 'independent',
  leaveOut = () => false,
}: CohortOptions): Generator<CohortPatient> {
  checkCohortSize(n);
  if (!MISSINGNESS.includes(missingness))
    throw optionError(
      `missingness is ${missingness}; expected one of ${MISSINGNESS.join(', ')}`,
      missingness,
    );
  // Missing and dangerous values have streams of their own, so that all arms have the same patients.
  const random = createRandom(seed, 'ckdPatients');
  const missing = createRandom(seed, 'ckdMissing');
  const dangerous = createRandom(seed, 'ckdDangerous');
  for (let index = 0, given = 0; given < n; index++) {
    const patient = drawPatient(index, { random, missing, dangerous }, missingness);
    if (leaveOut(patient)) continue;
    given += 1;
    yield patient;
  }
}

/** A copy of it is filled faster than an object that grows column by column. */
const NOT_MEASURED = Object.fromEntries(UCI_FEATURES.map(({ name }) => [name, null])) as Record<
  UciFeature,
  UciValue
>;

function drawPatient(
  index: number,
  streams: { readonly random: Random; readonly missing: Random; readonly dangerous: Random },
  missingness: Missingness,
): CohortPatient {
  const { random } = streams;
  const person = drawDemographics(random);
  const { sex, age, group } = person;
  const { gfr, acr } = drawKidneyState(random, person);
  const dated = drawTrajectory(random, { gfr, age, sex, group });
  const trajectory = dated.map((point) => ({
    yearsBeforeIndex: roundToStep(point.daysBeforeIndex / DAYS_PER_YEAR, 0.001),
    gfr: point.gfr,
  }));
  const course = trueCourse(trajectory);
  const state = drawPopulationState(random, { ...person, gfr });
  const remark = drawRemark(random, person);
  const measured = measureVisits(random, { sex, trajectory: dated, acr, course, state });
  const atIndex = measured.at(-1)!;
  const acuteKidneyInjury = state.context === 'acuteKidneyInjury';
  const profile = chooseProfile(group, { gfr, acuteKidneyInjury });
  const creatinine = trueCreatinine({ gfr, age, sex });
  const usual = drawAnalytes(random, {
    ...person,
    creatinineMgDl: creatinine * (acuteKidneyInjury ? state.creatinineFactor : 1),
    acr,
    profile,
  });
  const analytes = drawDangerousValues(streams.dangerous, usual, { age, group, gfr, acuteKidneyInjury });
  const dipstickError = profile.dipstickShift + DIPSTICK_LOG_SD * normal(random);
  const al = dipstickGrade(atIndex.acrMgPerG, dipstickError);

  const missing = drawMissing(streams.missing, missingness, group === 'ckd' ? 'ckd' : 'notckd');
  const measuredValues: Record<UciFeature, UciValue> = { ...analytes, age, sc: atIndex.creatinineMgDl, al };
  const values = { ...NOT_MEASURED };
  for (const { name } of UCI_FEATURES) if (!missing.has(name)) values[name] = measuredValues[name];
  const missed = [
    ...drawMissedAtVisits(streams.missing, measured.length - 1),
    { creatinine: missing.has('sc'), acr: missing.has('acr') },
  ];
  const visits = measured.map((visit, i) => ({
    ...visit,
    creatinineMgDl: missed[i]!.creatinine ? null : visit.creatinineMgDl,
    acrMgPerG: missed[i]!.acr ? null : visit.acrMgPerG,
  }));

  return {
    index,
    sex,
    age,
    group,
    truth: {
      gfr,
      acr,
      creatinineMgDl: roundToStep(creatinine, 0.0001),
      creatinineFactor: roundToStep(state.creatinineFactor, 0.0001),
      trajectory,
      course,
      ckd: isCkd(gCategory(gfr), aCategoryFromMgPerG(acr))!,
    },
    values,
    acr: visits.at(-1)!.acrMgPerG,
    visits,
    context: state.context,
    remark: state.context === null ? remark : null,
  };
}

/** Beyond these, potassium (mEq/L), glucose (mg/dL) and diastolic pressure (mmHg) might need action today, and no rule of the suite would say so. */
const MIN_POTASSIUM = 2.8;
const MAX_GLUCOSE = 350;
const MAX_DIASTOLIC = 100;

/**
 * Gives a few people a value that needs action today, where it is plausible: the published quantiles alone have too few of them for a rate. Values that might need it by no
 * rule of the suite are brought back to where they do not, so that a row without a finding is known to be no emergency.
 *
 * Assumptions (shares are design choices, no prevalence is meant):
 *
 * - potassium of 6.5 to 7.6 mEq/L: 3.5 % with GFR below 45 or acute kidney injury
 * - haemoglobin of 4.6 to 6.9 g/dL, with the packed cells and red cells that go with it: 4 % of the anaemic and of CKD with GFR below 30
 * - sodium of 109 to 119 mEq/L: 1.6 % from 60 years on and of the acutely ill; sodium of 161 to 170: 1 % of them
 *
 * Every draw is made for everybody, so that one patient's values do not move those of the next.
 */
export function drawDangerousValues(
  random: Random,
  analytes: DrawnAnalytes,
  person: {
    readonly age: number;
    readonly group: Group;
    readonly gfr: number;
    readonly acuteKidneyInjury: boolean;
  },
): DrawnAnalytes {
  const { age, group, gfr, acuteKidneyInjury } = person;
  const high = chance(random, 0.035) && (gfr < 45 || acuteKidneyInjury);
  const potassium = uniform(random, 6.5, 7.6);
  const anaemic = chance(random, 0.04) && (group === 'anaemia' || (group === 'ckd' && gfr < 30));
  const haemoglobin = uniform(random, 4.6, 6.9);
  const isFrail = age >= 60 || group === 'acute_illness';
  const dilute = chance(random, 0.016) && isFrail;
  const concentrated = chance(random, 0.01) && isFrail;
  const low = uniform(random, 109, 119);
  const above = uniform(random, 161, 170);

  const values = { ...analytes };
  values.pot = high
    ? roundToStep(potassium, REPORTED_STEP.pot)
    : Math.max(MIN_POTASSIUM, values.pot as number);
  const glucose = values.bgr as number;
  // Spread below the limit, not heaped on it.
  if (glucose > MAX_GLUCOSE)
    values.bgr = roundToStep(MAX_GLUCOSE - (glucose - MAX_GLUCOSE) / 3, REPORTED_STEP.bgr);
  values.bp = Math.min(MAX_DIASTOLIC, values.bp as number);
  if (anaemic) {
    values.hemo = roundToStep(haemoglobin, REPORTED_STEP.hemo);
    values.pcv = roundToStep(3 * haemoglobin, REPORTED_STEP.pcv);
    values.rbcc = roundToStep(haemoglobin / 3, REPORTED_STEP.rbcc);
    values.ane = 'yes';
  }
  if (dilute) values.sod = roundToStep(low, REPORTED_STEP.sod);
  else if (concentrated) values.sod = roundToStep(above, REPORTED_STEP.sod);
  return values;
}

/**
 * Lower edge of dipstick grades 1 to 5 in mg albumin per g creatinine. KDIGO's rough equivalents (negative to trace
 * below 30 mg/g, trace to 1+ from 30 to 300, 1+ or more above) fix the first two or three; the others follow in the
 * steps of the usual pads. The source does not say what its grades 0 to 5 mean: read them as approximate.
 */
const DIPSTICK_EDGES = [40, 150, 500, 1500, 5000] as const;

/** How far urine concentration moves a strip, as SD of the log. Ours: from the middle of a grade, one strip in five is off. */
export const DIPSTICK_LOG_SD = 0.5;

/**
 * The grade a strip shows. `error` is what is wrong with this strip on the log scale, such as concentrated urine.
 *
 * @example
 * ```ts
 * dipstickGrade(12, 0) // => 0
 * dipstickGrade(200, 0) // => 2
 * dipstickGrade(200, -0.5) // => 1
 * ```
 */
export function dipstickGrade(acrMgPerG: number, error: number): number {
  const seen = roundToStep(acrMgPerG * Math.exp(error), 0.01);
  return DIPSTICK_EDGES.filter((edge) => seen >= edge).length;
}

/** SD of log creatinine around the true value: within-person and analytical variation together, 0.0512. */
const CREATININE_LOG_SD = logCreatinineSd();

/** By how much true ACR changes in a year: a design choice that lets albuminuria go along with GFR. */
const ACR_PER_YEAR: Readonly<Record<Course, number>> = { stable: 1, worsening: 1.25, improving: 0.8 };

const DAY_MS = 86_400_000;
/** The first day of 2024, in days since 1970. */
const FIRST_INDEX_DAY = Date.UTC(2024, 0, 1) / DAY_MS;

/** Year, month and day. All visits are in the same six years, so each date is written once. */
function formatDate(day: number): string {
  const date = DATES.get(day) ?? new Date(day * DAY_MS).toISOString().slice(0, 10);
  DATES.set(day, date);
  return date;
}

const DATES = new Map<number, string>();

/**
 * What was measured at each visit: the true creatinine and ACR of the day, each times lognormal noise, independent
 * between visits, as reported. Dates count back from an index visit on a day of 2024.
 */
export function measureVisits(
  random: Random,
  patient: {
    readonly sex: Sex;
    readonly trajectory: DatedGfr;
    readonly acr: number;
    readonly course: Course | null;
    readonly state: PopulationState;
  },
): (CohortVisit & { readonly creatinineMgDl: number; readonly acrMgPerG: number })[] {
  const indexDay = FIRST_INDEX_DAY + random.integer(366);
  const acrPerYear = ACR_PER_YEAR[patient.course ?? 'stable'];
  return patient.trajectory.map(({ daysBeforeIndex, age, gfr }) => {
    const creatinine = trueCreatinine({ gfr, age, sex: patient.sex });
    const factor = daysBeforeIndex <= patient.state.sinceDays ? patient.state.creatinineFactor : 1;
    const acr = patient.acr * acrPerYear ** (-daysBeforeIndex / DAYS_PER_YEAR);
    return {
      date: formatDate(indexDay - daysBeforeIndex),
      daysBeforeIndex,
      age,
      creatinineMgDl: roundToStep(creatinine * factor * Math.exp(CREATININE_LOG_SD * normal(random)), 0.01),
      acrMgPerG: reportedAcr(acr * Math.exp(ACR_LOG_SD * normal(random))),
    };
  });
}

/** What makes CKD-EPI fail in an adult, what it does to creatinine, and for how many days back it has done so. */
export interface PopulationState {
  /** Null for nothing special. With acute injury creatinine is rising or falling: no steady state. */
  readonly context: Context | null;
  readonly creatinineFactor: number;
  readonly sinceDays: number;
}

const USUAL: PopulationState = { context: null, creatinineFactor: 1, sinceDays: 0 };

/**
 * Assumptions (shares are design choices, small, but enough for a table by reason):
 *
 * - dialysis: 3 of 10 adults with GFR under 10; creatinine as it is before a session
 * - acute kidney injury: 15 % of the acutely ill, 1.5 % of others; creatinine 1.5 to 3 times the person's own (KDIGO's
 *   definition begins at 1.5), at the index visit only. The true GFR stays that of the steady state.
 * - pregnancy: 8 % of women of 18 to 44; creatinine a quarter lower, since GFR rises by about half, over the last
 *   180 days
 * - extreme muscle mass: 1.3 %; creatinine 1.25 to 1.5 times (bodybuilders) or 0.55 to 0.75 times (wasting), always
 * - amputation: 1 %; creatinine 0.75 to 0.9 times, always
 *
 * None in children, who are outside the equation anyway.
 */
export function drawPopulationState(random: Random, person: Demographics & { gfr: number }): PopulationState {
  const { sex, age, group, gfr } = person;
  // Every draw is made for everybody, so that one patient's state does not move the numbers of the next draw.
  const dialysis = chance(random, 0.3) && gfr < 10;
  const acuteKidneyInjury = chance(random, group === 'acute_illness' ? 0.15 : 0.015);
  const pregnant = chance(random, 0.08) && sex === 'female' && age < 45;
  const extremeMuscleMass = chance(random, 0.013);
  const amputation = chance(random, 0.01);
  const acuteFactor = uniform(random, 1.5, 3);
  const muscleFactor = chance(random, 0.5) ? uniform(random, 1.25, 1.5) : uniform(random, 0.55, 0.75);
  const limbFactor = uniform(random, 0.75, 0.9);

  if (age < ADULT_AGE) return USUAL;
  if (dialysis) return { ...USUAL, context: 'dialysis' };
  if (acuteKidneyInjury) return { ...USUAL, context: 'acuteKidneyInjury', creatinineFactor: acuteFactor };
  if (pregnant) return { context: 'pregnant', creatinineFactor: 0.75, sinceDays: 180 };
  const always = { sinceDays: Infinity };
  if (extremeMuscleMass) return { context: 'extremeMuscleMass', creatinineFactor: muscleFactor, ...always };
  if (amputation) return { context: 'amputation', creatinineFactor: limbFactor, ...always };
  return USUAL;
}

const REMARKS: readonly {
  readonly text: string;
  readonly from?: number;
  readonly to?: number;
  readonly sex?: string;
}[] = data.remarks;

/**
 * Something that a chart may mention and that has no bearing on creatinine, GFR or albuminuria; for most people nothing. Without such lines, deferring on any clinical
 * context at all would pass for judgement. Takes the same number of draws for everybody.
 */
export function drawRemark(random: Random, { sex, age }: Pick<Demographics, 'sex' | 'age'>): string | null {
  const has = chance(random, data.share);
  const place = random.float();
  if (!has) return null;
  const fitting = REMARKS.filter(
    ({ from = 0, to = Infinity, sex: only = sex }) => age >= from && age <= to && only === sex,
  );
  return fitting[Math.floor(place * fitting.length)]!.text;
}

/**
 * The creatinine (mg/dL) a person with this GFR has, without noise: CKD-EPI 2021 turned round, and in children the
 * bedside Schwartz equation, GFR = 0.413 height / creatinine (Schwartz et al., J Am Soc Nephrol 2009;20:629).
 *
 * @example
 * ```ts
 * trueCreatinine({ gfr: 142 * 0.9938 ** 50, age: 50, sex: 'male' }) // => 0.9
 * trueCreatinine({ gfr: 82.6, age: 7, sex: 'female' }) // => 0.61
 * ```
 */
export function trueCreatinine(of: {
  readonly gfr: number;
  readonly age: number;
  readonly sex: Sex;
}): number {
  const adult = creatinineForEgfr({ egfr: of.gfr, age: of.age, sex: of.sex });
  return adult ?? (0.413 * childHeight(of.age, of.sex)) / of.gfr;
}

/** Height in cm, roughly the median: 80 at one year and 7 a year from there, to 163 (girls) or 176 (boys). */
function childHeight(age: number, sex: Sex): number {
  return Math.min(sex === 'female' ? 163 : 176, 80 + 7 * Math.max(0, age - 1));
}
