import { type ClinicalTask, clinicalTask, variationRule } from '../../cohort/clinical-task.ts';
import { type Lines, numberOrNull, recordForm } from '../../cohort/fields.ts';
import { acuteMustAct, CRISIS_RULE } from '../acute.ts';
import { GLYCAEMIA_CATEGORIES, type GlycaemiaCategory, GUIDELINE } from '../ada.ts';
import { HBA1C_NOT_VALID_IN } from '../contexts.ts';
import {
  acuteField,
  BACKGROUND_FIELDS,
  GLUCOSE_UNIT,
  HBA1C_UNIT,
  type MeasuredAcute,
  PERSON_FIELDS,
  printedGlucose,
  printedHba1c,
  type ShownPerson,
  type UnitSystem,
} from '../form.ts';
import { DIAGNOSIS_REASONS } from '../reasons.ts';
import {
  assessDiagnosis,
  classifyResult,
  type DiagnosisCase,
  type Result,
  type Test,
  type Unit,
} from './assess.ts';

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

const CLASSIC = 'thirst, passing much urine, unexplained weight loss';
const METER = 'finger-stick meter';
const FASTING = 'hours since last meal';
const TEST_NAMES: Readonly<Record<Test, string>> = {
  hba1c: 'HbA1c',
  fpg: 'fasting glucose',
  ogtt_2h: 'glucose 2 h after 75 g (OGTT)',
  random: 'random glucose',
};
const TEST_OF = new Map<unknown, Test>(
  (Object.keys(TEST_NAMES) as Test[]).map((test) => [TEST_NAMES[test], test]),
);

/** What the model sees, and what is read back from that. */
export const DIAGNOSIS_FORM = recordForm<DiagnosisPerson, DiagnosisCase>({
  ...PERSON_FIELDS,
  classicSymptoms: {
    label: 'Symptoms',
    show: ({ classicSymptoms }) =>
      classicSymptoms === null ? 'not recorded' : classicSymptoms ? CLASSIC : 'none reported',
    read: (symptoms) => symptoms === CLASSIC,
  },
  results: {
    label: 'Results',
    show: ({ results, units }) =>
      results.map((result) => {
        const { test, value, unit, fastingHours, meter } = printedResult(result, units);
        return {
          test: TEST_NAMES[test],
          value,
          unit,
          ...(result.daysAgo !== null && { 'days ago': result.daysAgo }),
          ...(fastingHours !== null && { [FASTING]: fastingHours }),
          measured: meter ? METER : 'laboratory',
        };
      }),
    read: (results = []) =>
      (results as readonly Lines[]).map((line) => ({
        test: TEST_OF.get(line.test)!,
        value: line.value as number,
        unit: line.unit as Unit,
        fastingHours: numberOrNull(line[FASTING]),
        meter: line.measured === METER,
      })),
  },
  acute: acuteField(false),
  ...BACKGROUND_FIELDS,
});

/** A result as a record prints it. */
export function printedResult(
  { test, value, fastingHours, meter }: MeasuredResult,
  units: UnitSystem,
): Result {
  return test === 'hba1c'
    ? { test, value: printedHba1c(value, units), unit: HBA1C_UNIT[units], fastingHours, meter }
    : { test, value: printedGlucose(value, units), unit: GLUCOSE_UNIT[units], fastingHours, meter };
}

const QUESTION = `State what these results show by the criteria of the ${GUIDELINE}: normal, prediabetes or diabetes. The person is an adult and has no diagnosis of diabetes so far. All results are from the last three months.`;

export function diagnosisTask(deferAbove: number): ClinicalTask<DiagnosisCase> {
  return clinicalTask({
    id: 'diabetes/diagnosis',
    labels: GLYCAEMIA_CATEGORIES,
    ordered: true,
    pack: 'staging',
    question: QUESTION,
    rule: [
      'Apply these rules in order; the first that fits decides.',
      `(1) Ketoacidosis or a hyperosmolar state in the acute measurements: diabetes. ${CRISIS_RULE}`,
      '(2) Pregnancy: abstain.',
      '(3) Classic symptoms (thirst, passing much urine, unexplained weight loss) with a random or fasting laboratory glucose of 200 mg/dL (11.1 mmol/L) or more: diabetes.',
      `(4) From here on these results count: HbA1c except in ${HBA1C_NOT_VALID_IN}; fasting glucose after 8 hours or more (taken as fasting where no hours are stated) and 2-hour glucose, except in acute illness or on glucocorticoids. Random values, meter values and "fasting" values under 8 hours do not count.`,
      'The diabetes range is HbA1c 6.5 % (48 mmol/mol) or more, fasting glucose 126 mg/dL (7.0 mmol/L) or more, 2-hour glucose 200 mg/dL (11.1 mmol/L) or more; the prediabetes range below it begins at 5.7 % (39 mmol/mol), 100 mg/dL (5.6 mmol/L) and 140 mg/dL (7.8 mmol/L).',
      '(5) Two or more results in the diabetes range, of one test or of two: diabetes.',
      '(6) Exactly one: diabetes with classic symptoms, or where it is 9.0 % (75 mmol/mol), 200 mg/dL (11.1 mmol/L) fasting or 300 mg/dL (16.7 mmol/L) at 2 hours or more; otherwise abstain, since it needs confirmation.',
      '(7) No result counts: abstain.',
      '(8) On a glucose-lowering drug or on glucocorticoids: abstain. Acute illness does not make HbA1c unreliable.',
      '(9) Prediabetes if any result is in its range, otherwise normal.',
      variationRule(
        'In rule 9: a result varies around the true value by a CV of 2.6 % for HbA1c, 5.4 % for fasting glucose and 13.8 % for 2-hour glucose, less by the square root of their number where a test was repeated.',
        deferAbove,
      ),
    ].join(' '),
    deferralReasons: DIAGNOSIS_REASONS,
    stratum: { key: 'worst_result', label: 'worst result' },
    read: DIAGNOSIS_FORM.read,
    mustAct: acuteMustAct,
    assess: (given) => assessDiagnosis(given, deferAbove),
    fallback: worstResult,
    glance: worstResult,
    lacks: (given) => worstResult(given) === null,
  });
}

/** The worst category of any result, valid or not: the trivial rule. Null where no result has a category. */
export function worstResult({ results }: DiagnosisCase): GlycaemiaCategory | null {
  const categories = results.map(classifyResult);
  return GLYCAEMIA_CATEGORIES.findLast((category) => categories.includes(category)) ?? null;
}
