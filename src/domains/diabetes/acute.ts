import { clinicalError } from '../domain.ts';
import { glucoseMmolL } from './units.ts';

/** True, false, or null where a value that would decide was not measured. */
type ThreeValued = boolean | null;

/** A glucose in the unit in which it was printed. */
export interface Glucose {
  readonly value: number;
  readonly unit: 'mg/dL' | 'mmol/L';
}

/** What is measured in acute illness; null for not measured. */
export interface AcuteValues {
  readonly glucose: Glucose | null;
  /** Whether another person's help was needed because of low glucose. */
  readonly needsAssistance: ThreeValued;
  /** Whether diabetes was known before. */
  readonly knownDiabetes: ThreeValued;
  /** Beta-hydroxybutyrate in blood, mmol/L. */
  readonly bohb: number | null;
  /** Ketones in urine by strip, 0 to 4 plus signs. */
  readonly urineKetones: number | null;
  readonly ph: number | null;
  /** mmol/L. */
  readonly bicarbonate: number | null;
  /** mmol/L. */
  readonly sodium: number | null;
  /** Total osmolality, mOsm/kg. */
  readonly osmolality: number | null;
}

/** Lines of glucose, in mg/dL and in mmol/L as printed. */
const DIABETES_RANGE = { 'mg/dL': 200, 'mmol/L': 11.1 } as const;
const HYPEROSMOLAR = { 'mg/dL': 600, 'mmol/L': 33.3 } as const;
const LEVEL_1 = { 'mg/dL': 70, 'mmol/L': 3.9 } as const;
const LEVEL_2 = { 'mg/dL': 54, 'mmol/L': 3 } as const;

/** Whether a glucose reaches 200 mg/dL, or 11.1 mmol/L. */
export function reachesDiabetesRange({ value, unit }: Glucose): boolean {
  return value >= DIABETES_RANGE[unit];
}

/** Whether a glucose is below 54 mg/dL, or 3.0 mmol/L. */
export function isBelowLevel2({ value, unit }: Glucose): boolean {
  return value < LEVEL_2[unit];
}

/**
 * Diabetic ketoacidosis and the hyperosmolar state by the consensus report of 2024 (Diabetes Care 2024;47, doi 10.2337/dci24-0032). Not measured is not normal: a criterion that
 * was not measured leaves the answer open unless another one settles it. Blood ketones decide over the strip.
 */
export function hyperglycaemicCrisis(values: AcuteValues) {
  const { glucose, bohb, urineKetones, ph, bicarbonate, sodium, osmolality } = values;
  const high = either(glucose && glucose.value >= DIABETES_RANGE[glucose.unit], values.knownDiabetes);
  const ketones = bohb !== null ? bohb >= 3 : urineKetones === null ? null : urineKetones >= 2;
  const acidosis = either(ph === null ? null : ph < 7.3, bicarbonate === null ? null : bicarbonate < 18);
  const dka = all(high, ketones, acidosis);
  const effectiveOsmolality =
    sodium === null || glucose === null
      ? null
      : 2 * sodium + (glucose.unit === 'mmol/L' ? glucose.value : glucoseMmolL(glucose.value));
  const concentrated = either(
    effectiveOsmolality === null ? null : effectiveOsmolality > 300,
    osmolality === null ? null : osmolality > 320,
  );
  return {
    dka,
    dkaSeverity: dka === true ? severity(ph, bicarbonate) : null,
    hhs: all(
      glucose && glucose.value >= HYPEROSMOLAR[glucose.unit],
      concentrated,
      ketones === null ? null : !ketones,
      ph === null ? null : ph >= 7.3,
      bicarbonate === null ? null : bicarbonate >= 15,
    ),
    /** 2 x sodium + glucose in mmol/L; null where one of them was not measured. */
    effectiveOsmolality,
    /** Glucose and ketones are high, and acid-base status does not decide. */
    suspectedDka: high === true && ketones === true && acidosis === null,
  };
}

function severity(ph: number | null, bicarbonate: number | null) {
  if ((ph !== null && ph < 7) || (bicarbonate !== null && bicarbonate < 10)) return 'severe';
  return (ph !== null && ph <= 7.25) || (bicarbonate !== null && bicarbonate < 15) ? 'moderate' : 'mild';
}

/**
 * The level of hypoglycaemia by the ADA: 1 below 70 mg/dL (3.9 mmol/L), 2 below 54 (3.0), 3 where another person's help was needed, whatever the value; 0 for none. Null
 * where neither is known.
 *
 * @example
 * ```ts
 * hypoglycaemiaLevel({ value: 53, unit: 'mg/dL' }, null) // => 2
 * hypoglycaemiaLevel({ value: 3, unit: 'mmol/L' }, false) // => 1
 * hypoglycaemiaLevel(null, true) // => 3
 * ```
 */
export function hypoglycaemiaLevel(
  glucose: Glucose | null,
  needsAssistance: ThreeValued,
): 0 | 1 | 2 | 3 | null {
  if (needsAssistance === true) return 3;
  if (glucose === null) return null;
  if (isBelowLevel2(glucose)) return 2;
  return glucose.value < LEVEL_1[glucose.unit] ? 1 : 0;
}

/** Why waiting is unsafe, in a fixed order; empty where nothing shows it. */
export function acuteReasons(values: AcuteValues): string[] {
  const level = hypoglycaemiaLevel(values.glucose, values.needsAssistance);
  const low = level === 3 || level === 2 ? [`level_${level}_hypoglycaemia`] : [];
  return [...low, ...crisisReasons(values)];
}

/** Why the acute measurements shown need action today. */
export function acuteMustAct({ acute }: { readonly acute: AcuteValues | null }): readonly string[] {
  return acute === null ? [] : acuteReasons(acute);
}

/** The reasons that are a crisis of high glucose. */
export function crisisReasons(values: AcuteValues): string[] {
  const { dka, hhs, suspectedDka } = hyperglycaemicCrisis(values);
  const reasons: string[] = [];
  if (dka === true) reasons.push('diabetic_ketoacidosis');
  if (hhs === true) reasons.push('hyperosmolar_state');
  if (suspectedDka) reasons.push('suspected_ketoacidosis');
  return reasons;
}

/** Refuses what no patient can have. */
export function checkAcute(values: AcuteValues): AcuteValues {
  const positive = {
    glucose: values.glucose?.value ?? null,
    ph: values.ph,
    sodium_mmol_l: values.sodium,
    osmolality_mosm_kg: values.osmolality,
  };
  for (const [name, value] of Object.entries(positive))
    if (value !== null && !(value > 0))
      throw clinicalError(`${name} is ${value}; expected a number above 0`, value);
  const notNegative = {
    bohb_mmol_l: values.bohb,
    urine_ketones_plus: values.urineKetones,
    bicarbonate_mmol_l: values.bicarbonate,
  };
  for (const [name, value] of Object.entries(notNegative))
    if (value !== null && !(value >= 0))
      throw clinicalError(`${name} is ${value}; expected a number, 0 or more`, value);
  return values;
}

function either(...parts: readonly ThreeValued[]): ThreeValued {
  return parts.includes(true) ? true : parts.includes(null) ? null : false;
}

function all(...parts: readonly ThreeValued[]): ThreeValued {
  return parts.includes(false) ? false : parts.includes(null) ? null : true;
}

/** The rule of a crisis, as the tasks give it. */
export const CRISIS_RULE =
  'Ketoacidosis is glucose of 200 mg/dL (11.1 mmol/L) or more or known diabetes, with beta-hydroxybutyrate of 3.0 mmol/L or more and pH below 7.30 or bicarbonate below 18 mmol/L (suspected where neither was measured); the hyperosmolar state is glucose of 600 mg/dL (33.3 mmol/L) or more with 2 x sodium + glucose in mmol/L above 300, ketones below that line, pH of 7.30 or more and bicarbonate of 15 or more.';
