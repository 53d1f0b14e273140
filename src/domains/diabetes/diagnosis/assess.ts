import { answered, noAnswer, type Verdict } from '../../cohort/verdict.ts';
import { type AcuteValues, crisisReasons, type Glucose, reachesDiabetesRange } from '../acute.ts';
import { GLYCAEMIA_CUTOFFS, type GlycaemiaCategory, type GlycaemiaTest, glycaemiaCategory } from '../ada.ts';
import { type Context, invalidatesHba1c, raisesGlucose } from '../contexts.ts';
import { glucoseMgDl, hba1cPercent } from '../units.ts';
import { chanceAtOrAbove, VARIATION } from '../variation.ts';

export const TESTS = ['hba1c', 'fpg', 'ogtt_2h', 'random'] as const;
export type Test = (typeof TESTS)[number];
export type Unit = '%' | 'mmol/mol' | 'mg/dL' | 'mmol/L';

/** One result as printed. */
export interface Result {
  readonly test: Test;
  readonly value: number;
  readonly unit: Unit;
  /** Hours since the last meal; null where not stated. */
  readonly fastingHours: number | null;
  /** Whether a finger-stick meter gave it, not a laboratory. */
  readonly meter: boolean;
}

/** What can be read off a record of the task diagnosis. */
export interface DiagnosisCase {
  readonly results: readonly Result[];
  readonly context: Context | null;
  readonly classicSymptoms: boolean;
  /** Null where nothing acute was measured. */
  readonly acute: AcuteValues | null;
}

/** A test that can place a person by itself. */
type CountedTest = Exclude<Test, 'random'>;

/** The keys of the criteria by test and unit. */
const CRITERIA: Readonly<Record<CountedTest, Partial<Readonly<Record<Unit, GlycaemiaTest>>>>> = {
  hba1c: { '%': 'hba1cPercent', 'mmol/mol': 'hba1cMmolMol' },
  fpg: { 'mg/dL': 'fpgMgDl', 'mmol/L': 'fpgMmolL' },
  ogtt_2h: { 'mg/dL': 'ogtt2hMgDl', 'mmol/L': 'ogtt2hMmolL' },
};

/** One result this high is close to unequivocal. The guideline gives no number: these are ours. */
const VERY_HIGH: Readonly<Record<CountedTest, Partial<Readonly<Record<Unit, number>>>>> = {
  hba1c: { '%': 9, 'mmol/mol': 75 },
  fpg: { 'mg/dL': 200, 'mmol/L': 11.1 },
  ogtt_2h: { 'mg/dL': 300, 'mmol/L': 16.7 },
};

/** Variation and lines in % and mg/dL, in which all variation is computed. */
const IN_US_UNITS = {
  hba1c: { variation: VARIATION.hba1c, lines: GLYCAEMIA_CUTOFFS.hba1cPercent },
  fpg: { variation: VARIATION.fpg, lines: GLYCAEMIA_CUTOFFS.fpgMgDl },
  ogtt_2h: { variation: VARIATION.ogtt2h, lines: GLYCAEMIA_CUTOFFS.ogtt2hMgDl },
} as const;
const COUNTED_TESTS = ['hba1c', 'fpg', 'ogtt_2h'] as const;

const FASTED_HOURS = 8;

/**
 * What results show by the criteria of the ADA Standards of Care, for an adult without a diagnosis so far: a crisis or classic symptoms with a high glucose settle it, otherwise two results in the
 * diabetes range do; one alone has to be confirmed. Prediabetes needs no confirmation. Results that the context, a meal or a meter makes useless do not count.
 */
export function assessDiagnosis(given: DiagnosisCase, deferAbove?: number): Verdict<GlycaemiaCategory> {
  const { results, context, classicSymptoms, acute } = given;
  const crisis = acute === null ? [] : crisisReasons(acute);
  if (crisis.length > 0) return answered('diabetes', 0, { mustAct: crisis });
  if (context === 'pregnancy') return noAnswer('pregnancy');
  if (classicSymptoms && results.some(isHighAtAnyTime)) return answered('diabetes', 0);

  const counted = results.filter((result) => counts(result, context));
  const inRange = counted.filter((result) => classifyResult(result) === 'diabetes');
  if (inRange.length >= 2) {
    let flip = 1;
    for (const test of COUNTED_TESTS)
      if (inRange.some((result) => result.test === test)) flip *= chanceBelow(counted, test, 'diabetes');
    return answered('diabetes', flip);
  }
  if (inRange.length === 1) {
    if (classicSymptoms || isVeryHigh(inRange[0]!))
      return { ...noAnswer(), answer: 'diabetes', shouldAbstain: null };
    return noAnswer(counted.length > 1 ? 'discordant_results' : 'unconfirmed_single_result');
  }
  if (counted.length === 0) return noAnswer(...obstacles(results, context));
  if (context === 'glucose_lowering_drug') return noAnswer('glucose_lowering_drug');
  // Weeks of steroids raise glucose before HbA1c follows; days of illness leave HbA1c as it was.
  if (context === 'glucocorticoids') return noAnswer('acute_illness_or_steroids');

  const isRaised = counted.some((result) => classifyResult(result) === 'prediabetes');
  let belowPrediabetes = 1;
  let belowDiabetes = 1;
  for (const test of COUNTED_TESTS) {
    belowPrediabetes *= chanceBelow(counted, test, 'prediabetes');
    belowDiabetes *= chanceBelow(counted, test, 'diabetes');
  }
  const flip = isRaised ? 1 - (belowDiabetes - belowPrediabetes) : 1 - belowPrediabetes;
  return answered(isRaised ? 'prediabetes' : 'normal', flip, {
    near: 'near_diagnostic_line',
    deferAbove,
  });
}

/** The category of a result; null for a random glucose, which has none. */
export function classifyResult({ test, value, unit }: Result): GlycaemiaCategory | null {
  return test === 'random' ? null : glycaemiaCategory(CRITERIA[test][unit]!, value);
}

/** Whether a test is printed in this unit. */
export function hasUnit(test: Test, unit: Unit): boolean {
  return test === 'random' ? unit === 'mg/dL' || unit === 'mmol/L' : CRITERIA[test][unit] !== undefined;
}

function isHighAtAnyTime({ test, value, unit, meter }: Result): boolean {
  if (meter || (test !== 'random' && test !== 'fpg')) return false;
  return reachesDiabetesRange({ value, unit } as Glucose);
}

function isVeryHigh({ test, value, unit }: Result): boolean {
  return value >= VERY_HIGH[test as CountedTest][unit]!;
}

function counts({ test, meter, fastingHours }: Result, context: Context | null): boolean {
  if (meter) return false;
  if (test === 'hba1c') return !invalidatesHba1c(context);
  if (test === 'random' || raisesGlucose(context)) return false;
  return test === 'ogtt_2h' || isFasting(fastingHours);
}

/** Hours that are not stated are taken as fasting. */
function isFasting(hours: number | null): boolean {
  return hours === null || hours >= FASTED_HOURS;
}

/** The chance that the true value of a test lies below a line, from all its results that count; 1 where there is none, which speaks against nothing. */
function chanceBelow(
  counted: readonly Result[],
  test: CountedTest,
  line: 'prediabetes' | 'diabetes',
): number {
  const values: number[] = [];
  for (const result of counted) if (result.test === test) values.push(inUsUnits(result));
  const { variation, lines } = IN_US_UNITS[test];
  const above = chanceAtOrAbove(values, lines[line], variation);
  return above === null ? 1 : 1 - above;
}

/** The value in % or mg/dL. */
function inUsUnits({ value, unit }: Result): number {
  return unit === 'mmol/mol' ? hba1cPercent(value) : unit === 'mmol/L' ? glucoseMgDl(value) : value;
}

/** Why no result counts. */
function obstacles(results: readonly Result[], context: Context | null): string[] {
  const reasons: string[] = [];
  const some = (holds: (result: Result) => boolean) => results.some(holds);
  if (invalidatesHba1c(context) && some(({ test }) => test === 'hba1c')) reasons.push('hba1c_not_valid');
  if (raisesGlucose(context) && some(({ test }) => test === 'fpg' || test === 'ogtt_2h'))
    reasons.push('acute_illness_or_steroids');
  if (some(({ test, fastingHours }) => test === 'fpg' && !isFasting(fastingHours)))
    reasons.push('not_fasting');
  if (some(({ meter }) => meter)) reasons.push('not_laboratory');
  if (some(({ test }) => test === 'random')) reasons.push('random_glucose_only');
  return reasons.length === 0 ? ['no_test'] : reasons;
}
