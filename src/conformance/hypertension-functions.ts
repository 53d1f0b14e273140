import type { Verdict } from '../domains/cohort/verdict.ts';
import { clinicalError } from '../domains/domain.ts';
import {
  accAha2017,
  bpCategory,
  bpMustAct,
  esc2024,
  GUIDELINES,
  isHigh,
  isSevere,
  type Pressure,
  SETTINGS,
} from '../domains/hypertension/blood-pressure.ts';
import { type BpVisit, officeAverage } from '../domains/hypertension/office-average.ts';
import { preventTotalCvd } from '../domains/hypertension/prevent.ts';
import { assessClassification } from '../domains/hypertension/tasks/classification.ts';
import { assessFollowUp } from '../domains/hypertension/tasks/follow-up.ts';
import { assessPhenotype, type OutOfOffice } from '../domains/hypertension/tasks/phenotype.ts';
import { assessTreatment } from '../domains/hypertension/tasks/treatment.ts';
import { bpChange, lineProbability, regressionToTheMean } from '../domains/hypertension/variation.ts';
import {
  booleanOrNull,
  type ClinicalFunctions,
  eachPair,
  type Inputs,
  numberOrNull,
  objectOrNull,
  oneOf,
} from './case-inputs.ts';

const guidelineOf = (params: Inputs) => oneOf(params, 'guideline', GUIDELINES) ?? 'acc_aha_2025';
const rhythmOf = (inputs: Inputs) => oneOf(inputs, 'rhythm', ['regular', 'atrial_fibrillation'] as const);

/** The functions of hypertension under their conformance names. */
export const HYPERTENSION_FUNCTIONS: ClinicalFunctions = {
  acc_aha_2017_category: (inputs) => eachPair(inputs, 'bp', accAha2017),
  esc_2024_category: (inputs) => eachPair(inputs, 'bp', esc2024),
  bp_category: (inputs, params) =>
    eachPair(inputs, 'bp', (sbp, dbp) => bpCategory([sbp, dbp], guidelineOf(params))),
  bp_is_high: (inputs, params) =>
    eachPair(inputs, 'bp', (sbp, dbp) =>
      isHigh([sbp, dbp], guidelineOf(params), oneOf(params, 'setting', SETTINGS) ?? 'office'),
    ),
  bp_is_severe: (inputs, params) =>
    eachPair(inputs, 'bp', (sbp, dbp) =>
      isSevere([sbp, dbp], guidelineOf(params), booleanOrNull(params, 'pregnant') === true),
    ),
  bp_must_act: (inputs, params) =>
    eachPair(inputs, 'bp', (sbp, dbp) => bpMustAct([sbp, dbp], dangerOf(inputs), guidelineOf(params))) ?? [],

  office_bp_average: (inputs, params) => {
    const { mean, nVisits } = officeAverage(visitsOf(inputs), rhythmOf(inputs), guidelineOf(params));
    return { sbp: mean?.[0] ?? null, dbp: mean?.[1] ?? null, n_visits: nVisits };
  },

  bp_line_probability: (inputs) => {
    const pair = (name: string) => pairOf(inputs, `${name}sbp`, `${name}dbp`);
    const [mean, error] = [pair(''), pair('se_')];
    const line = pairOf(inputs, 'line_sbp', 'line_dbp');
    if (mean === null || error === null || line === null) return null;
    const { high, probabilityHigh, flipProbability } = lineProbability(mean, error, line);
    return { high, probability_high: probabilityHigh, flip_probability: flipProbability };
  },

  hypertension_classification: (inputs, params) => {
    const acute = inputs.acute_state;
    return verdictObject(
      assessClassification(
        {
          ...dangerOf(inputs),
          visits: visitsOf(inputs),
          age: positive(inputs, 'age'),
          cuff: oneOf(inputs, 'cuff', ['right', 'too_small', 'too_large'] as const),
          rested: booleanOrNull(inputs, 'rested'),
          armMeasured: oneOf(inputs, 'arm_measured', ['higher', 'lower'] as const),
          armDifferenceMmHg: positive(inputs, 'arm_difference_mmhg'),
          rhythm: rhythmOf(inputs),
          // A state may be named: "fracture" is one as much as true is.
          acuteState: typeof acute === 'string' ? acute.trim() !== '' : booleanOrNull(inputs, 'acute_state'),
        },
        { guideline: guidelineOf(params), minVisits: numberOrNull(params, 'min_visits') ?? 2 },
      ),
    );
  },

  bp_phenotype: (inputs, params) => {
    const office = objectOrNull(inputs, 'office') ?? {};
    return verdictObject(
      assessPhenotype(
        {
          ...dangerOf(inputs),
          age: positive(inputs, 'age'),
          onTreatment: booleanOrNull(inputs, 'on_treatment'),
          officeMean: pairOf(office, 'sbp', 'dbp'),
          officeVisits: positive(office, 'n_visits'),
          outOfOffice: outOfOfficeOf(objectOrNull(inputs, 'out_of_office')),
        },
        guidelineOf(params),
      ),
    );
  },

  prevent_total_cvd: (inputs) => {
    const sex = oneOf(inputs, 'sex', ['female', 'male'] as const);
    const number = (name: string) => numberOrNull(inputs, name);
    const [age, totalCholesterolMgDl, hdlMgDl] = ['age', 'total_cholesterol_mg_dl', 'hdl_mg_dl'].map(number);
    const [sbp, egfr] = ['sbp', 'egfr'].map(number);
    if (sex === null || age == null || totalCholesterolMgDl == null || hdlMgDl == null) return null;
    if (sbp == null || egfr == null) return null;
    const yes = (name: string) => booleanOrNull(inputs, name) === true;
    return preventTotalCvd({
      sex,
      age,
      totalCholesterolMgDl,
      hdlMgDl,
      sbp,
      egfr,
      bpTreated: yes('bp_treated'),
      statin: yes('statin'),
      diabetes: yes('diabetes'),
      smoker: yes('smoker'),
    });
  },

  antihypertensive_decision: (inputs) =>
    verdictObject(
      assessTreatment({
        ...dangerOf(inputs),
        mean: pairOf(inputs, 'sbp', 'dbp'),
        nVisits: positive(inputs, 'n_visits'),
        age: positive(inputs, 'age'),
        cvd: booleanOrNull(inputs, 'cvd'),
        diabetes: booleanOrNull(inputs, 'diabetes'),
        ckd: booleanOrNull(inputs, 'ckd'),
        preventPercent: positive(inputs, 'prevent_percent'),
        lifestyleMonths: positive(inputs, 'lifestyle_months'),
      }),
    ),

  bp_control: (inputs, params) =>
    verdictObject(
      assessFollowUp(
        {
          visits: visitsOf(inputs),
          treatmentChangedDay: numberOrNull(inputs, 'treatment_changed_day'),
          organDamage: booleanOrNull(inputs, 'organ_damage'),
        },
        { guideline: guidelineOf(params), goal: goalOf(inputs) },
      ),
    ),

  regression_to_the_mean: (inputs) => {
    const number = (name: string) => numberOrNull(inputs, name);
    const [observed, populationMean] = [number('observed'), number('population_mean')];
    const [sdBetween, sdWithin, n] = [number('sd_between'), number('sd_within'), number('n')];
    if (observed === null || populationMean === null || sdBetween === null || sdWithin === null) return null;
    const found = regressionToTheMean({ observed, populationMean, sdBetween, sdWithin, n: n ?? 1 });
    const { reliability, expectedTrue, expectedFall } = found;
    return { reliability, expected_true: expectedTrue, expected_fall: expectedFall };
  },

  bp_change: (inputs, params) => {
    const number = (name: string) => numberOrNull(inputs, name);
    const [before, after, nBefore, nAfter] = ['before', 'after', 'n_before', 'n_after'].map(number);
    if (before == null || after == null || nBefore == null || nAfter == null) return null;
    const [sd, level] = [numberOrNull(params, 'sd'), numberOrNull(params, 'level')];
    return bpChange(
      { before, after, nBefore, nAfter },
      { ...(sd !== null && { sd }), ...(level !== null && { level }) },
    );
  },
};

function verdictObject({ answer, flipProbability, shouldAbstain, reasons, mustAct }: Verdict) {
  return {
    answer,
    flip_probability: flipProbability,
    should_abstain: shouldAbstain,
    reasons: [...reasons],
    must_act: mustAct.length > 0,
    must_act_reasons: [...mustAct],
  };
}

function dangerOf(inputs: Inputs) {
  return { organDamage: booleanOrNull(inputs, 'organ_damage'), pregnant: booleanOrNull(inputs, 'pregnant') };
}

/** A count, an age or a percentage: 0 or more. */
function positive(inputs: Inputs, name: string): number | null {
  const value = numberOrNull(inputs, name);
  if (value === null || value >= 0) return value;
  throw clinicalError(`${name} is ${value}; expected 0 or more`, value);
}

function pairOf(inputs: Inputs, first: string, second: string): Pressure | null {
  const [a, b] = [positive(inputs, first), positive(inputs, second)];
  return a === null || b === null ? null : [a, b];
}

function goalOf(inputs: Inputs): Pressure {
  const goal = eachPair(inputs, 'goal', (sbp, dbp): Pressure => [sbp, dbp]);
  return goal === null ? [130, 80] : (goal as Pressure);
}

function visitsOf(inputs: Inputs): BpVisit[] {
  const visits = inputs.visits ?? [];
  if (!Array.isArray(visits))
    throw clinicalError(`visits is ${JSON.stringify(visits)}; expected a list of visits`, visits);
  return visits.map((item: unknown) => {
    const visit = objectOrNull({ visit: item }, 'visit') ?? {};
    const readings = visit.readings ?? [];
    if (!Array.isArray(readings))
      throw clinicalError(`readings is ${JSON.stringify(readings)}; expected a list of pairs`, readings);
    return { day: numberOrNull(visit, 'day'), readings: readings.flatMap(readingOf) };
  });
}

/** A pair of numbers, or nothing where one is missing. */
function readingOf(reading: unknown): [] | [Pressure] {
  if (reading === null || reading === undefined) return [];
  if (!Array.isArray(reading) || reading.length !== 2)
    throw clinicalError(`a reading is ${JSON.stringify(reading)}; expected [systolic, diastolic]`, reading);
  const sbp = numberOrNull({ systolic: reading[0] }, 'systolic');
  const dbp = numberOrNull({ diastolic: reading[1] }, 'diastolic');
  return sbp === null || dbp === null ? [] : [pressure(sbp, dbp)];
}

function pressure(sbp: number, dbp: number): Pressure {
  if (sbp > 0 && dbp > 0) return [sbp, dbp];
  throw clinicalError(`blood pressure is ${sbp}/${dbp}; expected numbers above 0`, [sbp, dbp]);
}

function outOfOfficeOf(given: Inputs | null): OutOfOffice | null {
  if (given === null) return null;
  const setting = oneOf(given, 'setting', SETTINGS);
  // Neither guideline judges out-of-office pressure by sleep alone.
  if (setting === null || setting === 'office' || setting === 'ambulatory_night') return null;
  return {
    setting,
    mean: pairOf(given, 'sbp', 'dbp'),
    days: positive(given, 'days'),
    readings: positive(given, 'readings'),
    validPercent: positive(given, 'valid_percent'),
  };
}
