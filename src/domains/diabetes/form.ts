import type { FeatureValue } from '../../core/patient-record.ts';
import { roundToStep } from '../cohort/distributions.ts';
import { CONTEXT, type Field, type Lines, linesIn, numberOrNull } from '../cohort/fields.ts';
import type { Ethnicity, Sex } from '../cohort/people.ts';
import type { AcuteValues, Glucose } from './acute.ts';
import { type Context, findContext } from './contexts.ts';
import { glucoseMmolL, hba1cMmolMol, hba1cPercent } from './units.ts';

/** The units in which a record is printed throughout. */
export type UnitSystem = 'us' | 'si';

/** Who a record is about, as far as every task shows it. */
export interface ShownPerson {
  /** What makes two people with the same values two people. */
  readonly source: number;
  /** Whole years, a lower limit where a file has no more than that. */
  readonly years: number;
  /** Whole years, or words where a file has only a lower limit. */
  readonly age: number | string;
  readonly sex: Sex;
  readonly ethnicity: Ethnicity | null;
  readonly units: UnitSystem;
  /** The words of the clinical context. */
  readonly context: string;
  readonly background: ShownBackground;
}

/** Fields that decide nothing, in US units; null for not measured. */
export type ShownBackground = Readonly<
  Record<
    | 'bmi'
    | 'waistCm'
    | 'totalCholesterolMgDl'
    | 'hdlMgDl'
    | 'triglyceridesMgDl'
    | 'creatinineMgDl'
    | 'haemoglobinGDl',
    number | null
  >
> & { readonly pressure: string | null };

/**
 * HbA1c as printed: 0.1 %, or whole mmol/mol. A result is rounded once, in %, before it is converted: with these steps it then has the same side of every line
 * in both units.
 */
export function printedHba1c(percent: number, units: UnitSystem): number {
  const rounded = roundToStep(percent, 0.1);
  return units === 'us' ? rounded : roundToStep(hba1cMmolMol(rounded), 1);
}

/** Glucose as printed: whole mg/dL, or 0.1 mmol/L; rounded first, as HbA1c is. */
export function printedGlucose(mgDl: number, units: UnitSystem): number {
  const rounded = roundToStep(mgDl, 1);
  return units === 'us' ? rounded : roundToStep(glucoseMmolL(rounded), 0.1);
}

export const HBA1C_UNIT = { us: '%', si: 'mmol/mol' } as const;
export const GLUCOSE_UNIT = { us: 'mg/dL', si: 'mmol/L' } as const;

/** The lines about the person, with which every record begins. */
export const PERSON_FIELDS = {
  age: { label: 'Age (years)', show: ({ age }) => age },
  sex: { label: 'Sex', show: ({ sex }) => sex },
  ethnicity: { label: 'Self-described ethnicity', show: ({ ethnicity }) => ethnicity },
  context: {
    label: CONTEXT,
    show: ({ context }) => context,
    read: (words): Context | null => findContext(words),
  },
} as const satisfies Record<string, Field<ShownPerson>>;

/** The lines that decide nothing, with which every record ends. */
export const BACKGROUND_FIELDS: Readonly<Record<string, Field<ShownPerson>>> = {
  bmi: { label: 'Body mass index (kg/m2)', show: ({ background }) => background.bmi },
  waist: { label: 'Waist (cm)', show: ({ background }) => background.waistCm },
  pressure: { label: 'Blood pressure (mmHg)', show: ({ background }) => background.pressure },
  totalCholesterol: inUnits('Total cholesterol', 'totalCholesterolMgDl', {
    us: { unit: 'mg/dL' },
    si: { unit: 'mmol/L', factor: 0.02586, step: 0.1 },
  }),
  hdl: inUnits('HDL cholesterol', 'hdlMgDl', {
    us: { unit: 'mg/dL' },
    si: { unit: 'mmol/L', factor: 0.02586, step: 0.1 },
  }),
  triglycerides: inUnits('Triglycerides', 'triglyceridesMgDl', {
    us: { unit: 'mg/dL' },
    si: { unit: 'mmol/L', factor: 0.01129, step: 0.1 },
  }),
  creatinine: inUnits('Creatinine', 'creatinineMgDl', {
    us: { unit: 'mg/dL', step: 0.01 },
    si: { unit: 'umol/L', factor: 88.4, step: 1 },
  }),
  haemoglobin: inUnits('Haemoglobin', 'haemoglobinGDl', {
    us: { unit: 'g/dL', step: 0.1 },
    si: { unit: 'g/L', factor: 10, step: 1 },
  }),
};

/** A value in US units, printed in those of the record; as it is where no step is given. */
function inUnits(
  name: string,
  key: Exclude<keyof ShownBackground, 'pressure'>,
  printed: Readonly<
    Record<UnitSystem, { readonly unit: string; readonly factor?: number; readonly step?: number }>
  >,
): Field<ShownPerson> {
  return {
    label: ({ units }) => `${name} (${printed[units].unit})`,
    show({ background, units }) {
      const { factor = 1, step } = printed[units];
      const value = background[key];
      return value === null || step === undefined ? value : roundToStep(value * factor, step);
    },
  };
}

/** A glucose in mg/dL, not rounded, under a name that ends in the unit of the record. */
export function glucoseField<P extends Pick<ShownPerson, 'units'>>(
  name: string,
  mgDl: (person: P) => number | null,
): Field<P, Glucose | null> & { readonly read: NonNullable<Field<P, Glucose | null>['read']> } {
  return {
    label: ({ units }) => `${name} (${GLUCOSE_UNIT[units]})`,
    show(person) {
      const value = mgDl(person);
      return value === null ? null : printedGlucose(value, person.units);
    },
    read: (_, features) => glucoseIn(features, name),
  };
}

function glucoseIn(lines: Readonly<Lines>, name: string): Glucose | null {
  const mgDl = numberOrNull(lines[`${name} (mg/dL)`]);
  if (mgDl !== null) return { value: mgDl, unit: 'mg/dL' };
  const mmolL = numberOrNull(lines[`${name} (mmol/L)`]);
  return mmolL === null ? null : { value: mmolL, unit: 'mmol/L' };
}

/** The name and the printed value of an HbA1c in %, not rounded. */
export function hba1cLine(percent: number | null, units: UnitSystem): readonly [string, number | null] {
  return [`HbA1c (${HBA1C_UNIT[units]})`, percent === null ? null : printedHba1c(percent, units)];
}

/** An HbA1c in %, also where it was printed in mmol/mol. */
export function hba1cIn(lines: Readonly<Lines>): number | null {
  const mmolMol = numberOrNull(lines['HbA1c (mmol/mol)']);
  return numberOrNull(lines['HbA1c (%)']) ?? (mmolMol === null ? null : hba1cPercent(mmolMol));
}

/** Acute measurements of a generated person; glucose in mg/dL. */
export interface MeasuredAcute extends Pick<AcuteValues, 'bohb' | 'ph' | 'bicarbonate' | 'sodium'> {
  readonly glucose: number;
  readonly needsAssistance: boolean;
  readonly isDrowsy: boolean;
}

const BOHB = 'beta-hydroxybutyrate (mmol/L)';
const BICARBONATE = 'bicarbonate (mmol/L)';
const SODIUM = 'sodium (mmol/L)';
const HELP = "needs another person's help because of low glucose";
const DROWSY = 'drowsy, hard to wake';
const AWAKE = 'awake, needs no help';

/** Acute measurements; read as null where none were taken. */
export function acuteField(knownDiabetes: boolean | null) {
  return {
    label: 'Acute measurements',
    show: ({ acute, units }: { readonly acute: MeasuredAcute | null; readonly units: UnitSystem }) =>
      acute === null
        ? 'none taken'
        : {
            [`glucose (${GLUCOSE_UNIT[units]})`]: printedGlucose(acute.glucose, units),
            [BOHB]: acute.bohb,
            pH: acute.ph,
            [BICARBONATE]: acute.bicarbonate,
            [SODIUM]: acute.sodium,
            state: acute.needsAssistance ? HELP : acute.isDrowsy ? DROWSY : AWAKE,
          },
    read(shown: FeatureValue | undefined): AcuteValues | null {
      const lines = linesIn(shown);
      return (
        lines && {
          glucose: glucoseIn(lines, 'glucose'),
          needsAssistance: lines.state === HELP,
          knownDiabetes,
          bohb: numberOrNull(lines[BOHB]),
          urineKetones: null,
          ph: numberOrNull(lines.pH),
          bicarbonate: numberOrNull(lines[BICARBONATE]),
          sodium: numberOrNull(lines[SODIUM]),
          osmolality: null,
        }
      );
    },
  };
}
