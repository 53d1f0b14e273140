import { describe, expect, it } from 'vitest';
import { CONTEXT_CODES, CONTEXTS, findContext } from './contexts.ts';
import { controlPatients } from './control/cohort.ts';
import { CONTROL_FORM } from './control/task.ts';
import { diagnosisPatients } from './diagnosis/cohort.ts';
import { DIAGNOSIS_FORM } from './diagnosis/task.ts';
import { printedGlucose, printedHba1c } from './form.ts';
import { trendPatients } from './trend/cohort.ts';
import { TREND_FORM } from './trend/task.ts';
import { hba1cPercent } from './units.ts';

const N = 5_000;
const toPercent = (value: number, units: 'us' | 'si') =>
  units === 'us' ? printedHba1c(value, units) : hba1cPercent(printedHba1c(value, units));
const UNITS = { us: 'mg/dL', si: 'mmol/L' } as const;

it('has words of its own for every context', () => {
  for (const code of CONTEXT_CODES) expect(findContext(CONTEXTS[code])).toBe(code);
  expect(findContext('nothing special recorded')).toBeNull();
});

describe('what is shown is read back as it was', () => {
  it('diagnosis', () => {
    for (const patient of diagnosisPatients(42, 'mixed').take(N)) {
      const { units } = patient;
      expect(DIAGNOSIS_FORM.read(DIAGNOSIS_FORM.show(patient))).toMatchObject({
        context: findContext(patient.context),
        classicSymptoms: patient.classicSymptoms,
        results: patient.results.map(({ test, value, fastingHours, meter }) => ({
          test,
          value: test === 'hba1c' ? printedHba1c(value, units) : printedGlucose(value, units),
          unit: test === 'hba1c' ? { us: '%', si: 'mmol/mol' }[units] : UNITS[units],
          fastingHours,
          meter,
        })),
        acute: patient.acute && {
          bohb: patient.acute.bohb,
          ph: patient.acute.ph,
          bicarbonate: patient.acute.bicarbonate,
          sodium: patient.acute.sodium,
          needsAssistance: patient.acute.needsAssistance,
          glucose: { value: printedGlucose(patient.acute.glucose, units), unit: UNITS[units] },
          knownDiabetes: false,
        },
      });
    }
  });

  it('control', () => {
    for (const patient of controlPatients(42, 'mixed').take(N)) {
      const { units, hba1c, lowestGlucose } = patient;
      const change = patient.treatmentChangeDaysAgo;
      expect(CONTROL_FORM.read(CONTROL_FORM.show(patient))).toMatchObject({
        goalPercent: patient.goal,
        hba1cPercent: hba1c === null ? null : toPercent(hba1c, units),
        hba1cAgeDays: hba1c === null ? null : patient.hba1cDaysAgo,
        treatmentChangeDaysBefore: hba1c === null || change === null ? null : change - patient.hba1cDaysAgo,
        context: findContext(patient.context),
        sensor: patient.sensor,
        highRisk: patient.highRisk,
        lowestGlucose:
          lowestGlucose === null ? null : { value: printedGlucose(lowestGlucose, units), unit: UNITS[units] },
        severeEvent: patient.severeEvent,
        acute: patient.acute === null ? null : { ph: patient.acute.ph, knownDiabetes: true },
      });
    }
  });

  it('trend', () => {
    for (const patient of trendPatients(42, 'mixed').take(N)) {
      const read = TREND_FORM.read(TREND_FORM.show(patient));
      expect(read.context).toBe(findContext(patient.context));
      expect(read.visits.map(({ day, ...visit }) => ({ ...visit, day: day - read.visits[0]!.day }))).toEqual(
        patient.visits.map(({ day, hba1c, remark }) => ({
          day,
          hba1cPercent: hba1c === null ? null : toPercent(hba1c, patient.units),
          valid: remark === null,
        })),
      );
    }
  });
});

it('keeps a result on the same side of every line in both units', () => {
  for (let tenths = 40; tenths <= 140; tenths++) {
    const percent = tenths / 10;
    for (const [us, si] of [
      [5.7, 39],
      [6.5, 48],
      [7, 53],
      [8, 64],
      [9, 75],
    ] as const)
      expect(printedHba1c(percent, 'si') >= si, `${percent} %`).toBe(percent >= us);
  }
  for (let mgDl = 30; mgDl <= 900; mgDl++)
    for (const [us, si] of [
      [54, 3],
      [70, 3.9],
      [100, 5.6],
      [126, 7],
      [140, 7.8],
      [200, 11.1],
      [300, 16.7],
      [600, 33.3],
    ] as const)
      expect(printedGlucose(mgDl, 'si') >= si, `${mgDl} mg/dL`).toBe(mgDl >= us);
});
