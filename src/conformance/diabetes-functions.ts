import type { Verdict } from '../domains/cohort/verdict.ts';
import {
  type AcuteValues,
  acuteReasons,
  checkAcute,
  type Glucose,
  hyperglycaemicCrisis,
  hypoglycaemiaLevel,
} from '../domains/diabetes/acute.ts';
import { diabetesConfirmed, GLYCAEMIA_CATEGORIES, glycaemiaCategory } from '../domains/diabetes/ada.ts';
import { CONTEXT_CODES } from '../domains/diabetes/contexts.ts';
import { assessControl, type SensorData } from '../domains/diabetes/control/assess.ts';
import { assessDiagnosis, hasUnit, type Result, TESTS } from '../domains/diabetes/diagnosis/assess.ts';
import { assessTrend, type TrendVisit } from '../domains/diabetes/trend/assess.ts';
import { glucoseMgDl, glucoseMmolL, hba1cMmolMol, hba1cPercent } from '../domains/diabetes/units.ts';
import { chanceAtOrAbove, mustBePositive, referenceChangeValue } from '../domains/diabetes/variation.ts';
import { clinicalError } from '../domains/domain.ts';
import {
  booleanOrNull,
  type ClinicalFunctions,
  eitherOf,
  elementwise,
  type Inputs,
  ifMeasured,
  numberOrNull,
  numbers,
  objectOrNull,
  oneOf,
} from './case-inputs.ts';

/** The tests under their conformance names. */
const CATEGORY_TESTS = {
  hba1c_percent: 'hba1cPercent',
  hba1c_mmol_mol: 'hba1cMmolMol',
  fpg_mg_dl: 'fpgMgDl',
  fpg_mmol_l: 'fpgMmolL',
  ogtt_2h_mg_dl: 'ogtt2hMgDl',
  ogtt_2h_mmol_l: 'ogtt2hMmolL',
} as const;
const UNITS = ['%', 'mmol/mol', 'mg/dL', 'mmol/L'] as const;

/** The ADA's criteria and the rules of the three tasks under their conformance names. */
export const DIABETES_FUNCTIONS: ClinicalFunctions = {
  glucose_units: (inputs) =>
    elementwise(inputs, ['glucose_mg_dl', 'glucose_mmol_l'], (one) =>
      ifMeasured(glucoseFrom(one, 'glucose'), ({ value, unit }) =>
        unit === 'mg/dL'
          ? { mg_dl: value, mmol_l: glucoseMmolL(value) }
          : { mg_dl: glucoseMgDl(value), mmol_l: value },
      ),
    ),

  hba1c_units: (inputs) =>
    elementwise(inputs, ['hba1c_percent', 'hba1c_mmol_mol'], (one) => {
      const [percent, mmolMol] = eitherOf(one, 'hba1c_percent', 'hba1c_mmol_mol');
      return (
        ifMeasured(percent, (value) => ({
          percent: mustBePositive(value, 'hba1c_percent'),
          mmol_mol: hba1cMmolMol(value),
        })) ??
        ifMeasured(mmolMol, (value) => ({
          percent: hba1cPercent(value),
          mmol_mol: mustBePositive(value, 'hba1c_mmol_mol'),
        }))
      );
    }),

  estimated_average_glucose: (inputs) =>
    elementwise(inputs, ['hba1c_percent'], (one) =>
      ifMeasured(numberOrNull(one, 'hba1c_percent'), (value) => {
        mustBePositive(value, 'hba1c_percent');
        return { mg_dl: 28.7 * value - 46.7, mmol_l: 1.59 * value - 2.59 };
      }),
    ),

  // Several tests of one person: the worst category among them.
  ada_glycaemia_category: (inputs) =>
    elementwise(inputs, Object.keys(CATEGORY_TESTS), (one) => {
      const found = Object.entries(CATEGORY_TESTS).map(([name, test]) =>
        ifMeasured(numberOrNull(one, name), (value) => glycaemiaCategory(test, value)),
      );
      return GLYCAEMIA_CATEGORIES.findLast((category) => found.includes(category)) ?? null;
    }),

  ada_diabetes_confirmed: (inputs) =>
    diabetesConfirmed({
      hba1cPercent: numbers(inputs, 'hba1c_percent'),
      fpgMgDl: numbers(inputs, 'fpg_mg_dl'),
      ogtt2hMgDl: numbers(inputs, 'ogtt_2h_mg_dl'),
      randomMgDl: numbers(inputs, 'random_mg_dl'),
      classicSymptoms: booleanOrNull(inputs, 'classic_symptoms') ?? false,
    }),

  reference_change_value: (inputs, params) => {
    const variation = variationFrom(inputs);
    return variation && referenceChangeValue(variation, numberOrNull(params, 'level') ?? 0.95);
  },

  chance_at_or_above: (inputs) => {
    const variation = variationFrom(inputs);
    const line = numberOrNull(inputs, 'line');
    return variation === null || line === null
      ? null
      : chanceAtOrAbove(numbers(inputs, 'values'), line, variation);
  },

  hyperglycaemic_crisis: (inputs) => {
    const { dka, dkaSeverity, hhs, effectiveOsmolality, suspectedDka } = hyperglycaemicCrisis(
      acuteFrom(inputs),
    );
    return {
      dka,
      dka_severity: dkaSeverity,
      hhs,
      effective_osmolality: effectiveOsmolality,
      suspected_dka: suspectedDka,
    };
  },

  ada_hypoglycaemia_level: (inputs) =>
    elementwise(inputs, ['glucose_mg_dl', 'glucose_mmol_l', 'needs_assistance'], (one) =>
      hypoglycaemiaLevel(glucoseFrom(one, 'glucose'), booleanOrNull(one, 'needs_assistance')),
    ),

  diabetes_must_act: (inputs) => acuteReasons(acuteFrom(inputs)),

  diabetes_diagnosis: (inputs) =>
    printed(
      assessDiagnosis({
        results: listOf(inputs, 'results').flatMap((one) => resultFrom(one) ?? []),
        context: oneOf(inputs, 'context', CONTEXT_CODES),
        classicSymptoms: booleanOrNull(inputs, 'classic_symptoms') ?? false,
        // The person has no diagnosis so far.
        acute: ifMeasured(objectOrNull(inputs, 'acute'), (one) => ({
          ...acuteFrom(one),
          knownDiabetes: false,
        })),
      }),
    ),

  diabetes_control: (inputs) => {
    const goal = numberOrNull(inputs, 'goal_percent');
    if (goal !== 7 && goal !== 8) throw clinicalError(`goal_percent is ${goal}; expected 7 or 8`, goal);
    return printed(
      assessControl({
        goalPercent: goal,
        hba1cPercent: hba1cFrom(inputs),
        hba1cAgeDays: numberOrNull(inputs, 'hba1c_age_days'),
        treatmentChangeDaysBefore: numberOrNull(inputs, 'treatment_change_days_before_hba1c'),
        context: oneOf(inputs, 'context', CONTEXT_CODES),
        sensor: ifMeasured(objectOrNull(inputs, 'cgm'), sensorFrom),
        highRisk: booleanOrNull(inputs, 'high_risk') ?? false,
        lowestGlucose: glucoseFrom(inputs, 'lowest_glucose'),
        severeEvent: booleanOrNull(inputs, 'severe_event') ?? false,
        acute: ifMeasured(objectOrNull(inputs, 'acute'), (one) => ({
          ...acuteFrom(one),
          knownDiabetes: true,
        })),
      }),
    );
  },

  hba1c_trend: (inputs, params) => {
    const found = assessTrend(
      {
        visits: listOf(inputs, 'visits').map(visitFrom),
        context: oneOf(inputs, 'context', CONTEXT_CODES),
        acute: ifMeasured(objectOrNull(inputs, 'acute'), acuteFrom),
      },
      {
        ...given('cvWithinPerson', numberOrNull(params, 'cv_within_person')),
        ...given('cvAnalytical', numberOrNull(params, 'cv_analytical')),
        ...given('meaningfulChange', numberOrNull(params, 'meaningful_change')),
      },
    );
    return { ...printed(found), change: found.change, se: found.se, chances: found.chances };
  },
};

function printed({ answer, flipProbability, shouldAbstain, reasons, mustAct }: Verdict) {
  return {
    answer,
    flip_probability: flipProbability,
    should_abstain: shouldAbstain,
    reasons,
    must_act: mustAct.length > 0,
    must_act_reasons: mustAct,
  };
}

function given<Name extends string>(name: Name, value: number | null): { readonly [key in Name]?: number } {
  return (value === null ? {} : { [name]: value }) as { readonly [key in Name]?: number };
}

function glucoseFrom(inputs: Inputs, name: string): Glucose | null {
  const [mgDl, mmolL] = eitherOf(inputs, `${name}_mg_dl`, `${name}_mmol_l`);
  if (mgDl !== null) return { value: mustBePositive(mgDl, `${name}_mg_dl`), unit: 'mg/dL' };
  return ifMeasured(mmolL, (value) => ({ value: mustBePositive(value, `${name}_mmol_l`), unit: 'mmol/L' }));
}

function hba1cFrom(inputs: Inputs): number | null {
  const [percent, mmolMol] = eitherOf(inputs, 'hba1c_percent', 'hba1c_mmol_mol');
  const value = percent ?? ifMeasured(mmolMol, hba1cPercent);
  return ifMeasured(value, (one) => mustBePositive(one, 'hba1c'));
}

function variationFrom(inputs: Inputs) {
  const cvWithinPerson = numberOrNull(inputs, 'cv_within_person');
  const cvAnalytical = numberOrNull(inputs, 'cv_analytical');
  return cvWithinPerson === null || cvAnalytical === null ? null : { cvWithinPerson, cvAnalytical };
}

function acuteFrom(inputs: Inputs): AcuteValues {
  return checkAcute({
    glucose: glucoseFrom(inputs, 'glucose'),
    needsAssistance: booleanOrNull(inputs, 'needs_assistance'),
    knownDiabetes: booleanOrNull(inputs, 'known_diabetes'),
    bohb: numberOrNull(inputs, 'bohb_mmol_l'),
    urineKetones: numberOrNull(inputs, 'urine_ketones_plus'),
    ph: numberOrNull(inputs, 'ph'),
    bicarbonate: numberOrNull(inputs, 'bicarbonate_mmol_l'),
    sodium: numberOrNull(inputs, 'sodium_mmol_l'),
    osmolality: numberOrNull(inputs, 'osmolality_mosm_kg'),
  });
}

/** Null where the result has no value. */
function resultFrom(one: Inputs): Result | null {
  const test = oneOf(one, 'test', TESTS);
  if (test === null) throw clinicalError(`a result has no test; expected one of ${TESTS.join(', ')}`, one);
  const value = numberOrNull(one, 'value');
  if (value === null) return null;
  const unit = oneOf(one, 'unit', UNITS);
  if (unit === null || !hasUnit(test, unit))
    throw clinicalError(
      `the unit of ${test} is ${JSON.stringify(unit)}; expected ${test === 'hba1c' ? '% or mmol/mol' : 'mg/dL or mmol/L'}`,
      unit,
    );
  return {
    test,
    value: mustBePositive(value, test),
    unit,
    fastingHours: numberOrNull(one, 'fasting_hours'),
    meter: oneOf(one, 'specimen', ['laboratory', 'meter']) === 'meter',
  };
}

function sensorFrom(one: Inputs): SensorData {
  return {
    days: numberOrNull(one, 'days'),
    activePercent: numberOrNull(one, 'active_percent'),
    tirPercent: numberOrNull(one, 'tir_percent'),
    tbr70Percent: numberOrNull(one, 'tbr70_percent'),
    tbr54Percent: numberOrNull(one, 'tbr54_percent'),
  };
}

function visitFrom(one: Inputs): TrendVisit {
  const day = numberOrNull(one, 'day');
  if (day === null) throw clinicalError('a visit has no day; expected a number', one);
  return { day, hba1cPercent: hba1cFrom(one), valid: booleanOrNull(one, 'valid') ?? true };
}

function listOf(inputs: Inputs, name: string): readonly Inputs[] {
  const value = inputs[name] ?? [];
  if (!Array.isArray(value))
    throw clinicalError(`${name} is ${JSON.stringify(value)}; expected a list`, value);
  return value.map((one: unknown) => objectOrNull({ [name]: one }, name)).filter((one) => one !== null);
}
