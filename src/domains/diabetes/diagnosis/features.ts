import type { FeatureValue } from '../../../core/index.ts';
import type { Features } from '../../../suites/task.ts';
import {
  acuteFrom,
  addAcute,
  addBackground,
  contextFrom,
  GLUCOSE_UNIT,
  HBA1C_UNIT,
  type MeasuredAcute,
  numberIn,
  personLines,
  printedGlucose,
  printedHba1c,
  type ShownPerson,
} from '../shown.ts';
import type { DiagnosisCase, Result, Test, Unit } from './assess.ts';

/** A result before it is printed. */
export interface MeasuredResult {
  readonly test: Test;
  /** In % or mg/dL, not rounded. */
  readonly value: number;
  readonly daysAgo: number | null;
  readonly fastingHours: number | null;
  readonly meter: boolean;
}

/** Who a record of the task diagnosis is about. */
export interface DiagnosisPerson extends ShownPerson {
  /** Null where the source does not record symptoms. */
  readonly classicSymptoms: boolean | null;
  readonly results: readonly MeasuredResult[];
  readonly acute: MeasuredAcute | null;
}

const SYMPTOMS = 'Symptoms';
const CLASSIC = 'thirst, passing much urine, unexplained weight loss';
const NO_SYMPTOMS = 'none reported';
const RESULTS = 'Results';
const METER = 'finger-stick meter';
const TEST_NAMES: Readonly<Record<Test, string>> = {
  hba1c: 'HbA1c',
  fpg: 'fasting glucose',
  ogtt_2h: 'glucose 2 h after 75 g (OGTT)',
  random: 'random glucose',
};
const TEST_OF = new Map<unknown, Test>(
  (Object.keys(TEST_NAMES) as Test[]).map((test) => [TEST_NAMES[test], test]),
);

/** What the model sees. */
export function showDiagnosis(person: DiagnosisPerson): Features {
  const lines = personLines(person);
  lines[SYMPTOMS] =
    person.classicSymptoms === null ? 'not recorded' : person.classicSymptoms ? CLASSIC : NO_SYMPTOMS;
  lines[RESULTS] = person.results.map((result) => resultLine(result, person.units));
  addAcute(lines, person.acute, person.units);
  addBackground(lines, person);
  return lines;
}

function resultLine(result: MeasuredResult, units: ShownPerson['units']): FeatureValue {
  const isHba1c = result.test === 'hba1c';
  const line: { [name: string]: FeatureValue } = {
    test: TEST_NAMES[result.test],
    value: isHba1c ? printedHba1c(result.value, units) : printedGlucose(result.value, units),
    unit: isHba1c ? HBA1C_UNIT[units] : GLUCOSE_UNIT[units],
  };
  if (result.daysAgo !== null) line['days ago'] = result.daysAgo;
  if (result.fastingHours !== null) line['hours since last meal'] = result.fastingHours;
  line.measured = result.meter ? METER : 'laboratory';
  return line;
}

/** Reads the case back from what is shown, and from nothing else. */
export function diagnosisCase(features: Features): DiagnosisCase {
  const shown = (features[RESULTS] ?? []) as readonly Readonly<Record<string, FeatureValue>>[];
  const results: Result[] = [];
  for (const line of shown)
    results.push({
      test: TEST_OF.get(line.test)!,
      value: line.value as number,
      unit: line.unit as Unit,
      fastingHours: numberIn(line['hours since last meal']),
      meter: line.measured === METER,
    });
  return {
    results,
    context: contextFrom(features),
    classicSymptoms: features[SYMPTOMS] === CLASSIC,
    acute: acuteFrom(features, false),
  };
}
