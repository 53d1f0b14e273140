import { GLUCOSE_UNIT, HBA1C_UNIT, printedGlucose, printedHba1c, type UnitSystem } from '../shown.ts';
import { assessDiagnosis, type DiagnosisCase } from './assess.ts';
import type { MeasuredResult } from './features.ts';

/** Whether results of a person without acute values would get another verdict if they were printed in other units: 0.1 mmol/L and 1 mmol/mol are coarser steps than 1 mg/dL and 0.1 %. */
export function dependsOnUnits(
  results: readonly MeasuredResult[],
  known: Pick<DiagnosisCase, 'context' | 'classicSymptoms'>,
): boolean {
  const verdictIn = (units: UnitSystem) =>
    assessDiagnosis({ ...known, acute: null, results: results.map((result) => printed(result, units)) });
  const [us, si] = [verdictIn('us'), verdictIn('si')];
  return us.answer !== si.answer || us.shouldAbstain !== si.shouldAbstain || us.reasons[0] !== si.reasons[0];
}

function printed({ test, value, fastingHours, meter }: MeasuredResult, units: UnitSystem) {
  return test === 'hba1c'
    ? { test, value: printedHba1c(value, units), unit: HBA1C_UNIT[units], fastingHours, meter }
    : { test, value: printedGlucose(value, units), unit: GLUCOSE_UNIT[units], fastingHours, meter };
}
