import { createRandom, type Random } from '../../../statistics/index.ts';
import { normal } from '../../cohort/distributions.ts';
import { roundToStep } from '../../cohort/round-to-step.ts';
import { optionError } from '../../domains/suite-option.ts';
import { aCategoryFromMgPerG, gCategory, isCkd } from '../equations/kdigo.ts';
import { UCI_FEATURES, type UciFeature, type UciValue } from '../source/columns.ts';
import { drawAnalytes } from './analytes.ts';
import type { CohortPatient } from './cohort-patient.ts';
import { drawDangerousValues } from './dangerous-values.ts';
import { drawDemographics } from './demographics.ts';
import { DIPSTICK_LOG_SD, dipstickGrade } from './dipstick.ts';
import { profileOf } from './groups.ts';
import { drawKidneyState } from './kidney-function.ts';
import { measureVisits } from './measured-visits.ts';
import { drawMissedAtVisits, drawMissing, MISSINGNESS, type Missingness } from './missingness.ts';
import { drawPopulationState } from './population-state.ts';
import { drawRemark } from './remarks.ts';
import { DAYS_PER_YEAR, drawTrajectory } from './trajectory.ts';
import { trueCourse } from './true-course.ts';
import { trueCreatinine } from './true-creatinine.ts';

const LARGEST_COHORT = 100_000;

/** Random streams of the cohort. Missing values have their own, so that both arms have the same patients; so have dangerous ones, which leave everything else as it is. */
const STREAMS = { patients: 20, missing: 21, dangerous: 22 } as const;

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
  if (!(Number.isInteger(n) && n >= 1 && n <= LARGEST_COHORT))
    throw optionError(`cohort size is ${n}; expected a whole number from 1 to ${LARGEST_COHORT}`, n);
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
  const random = createRandom(seed, STREAMS.patients);
  const missing = createRandom(seed, STREAMS.missing);
  const dangerous = createRandom(seed, STREAMS.dangerous);
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
  const profile = profileOf(group, { gfr, acuteKidneyInjury });
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
