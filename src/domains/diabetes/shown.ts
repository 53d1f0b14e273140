import type { FeatureValue } from '../../core/index.ts';
import type { Random } from '../../statistics/index.ts';
import type { Features } from '../../suites/task.ts';
import type { BackgroundValues } from '../cohort/background-values.ts';
import { chance } from '../cohort/distributions.ts';
import type { Ethnicity, Sex } from '../cohort/people.ts';
import { roundToStep } from '../cohort/round-to-step.ts';
import type { AcuteValues, Glucose } from './acute.ts';
import { type Context, contextOf, NO_CONTEXT } from './contexts.ts';
import { glucoseMmolL, hba1cMmolMol } from './units.ts';

/** The units in which a record is printed throughout. */
export type UnitSystem = 'us' | 'si';

/** Features while a record is made. */
export type Lines = { [name: string]: FeatureValue };

/** Who a record is about, as far as every task shows it. */
export interface ShownPerson {
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

/** Each such field is missing with this probability, independent of everything. */
const MISSING = 0.14;

const CONTEXT = 'Clinical context';
const ACUTE = 'Acute measurements';
const NOTHING_ACUTE = 'none taken';

/** mmol/L or g/L or umol/L from US units. */
const CHOLESTEROL_MMOL = 0.02586;
const TRIGLYCERIDES_MMOL = 0.01129;
const CREATININE_UMOL = 88.4;
const HAEMOGLOBIN_G_L = 10;

/** Anaemia of these contexts in g/dL, and the creatinine of people on dialysis, so that no line contradicts another. */
const ANAEMIA: Partial<Readonly<Record<Context, number>>> = {
  haemoglobin_variant: 5,
  recent_transfusion: 3,
  recent_blood_loss: 3,
  haemolysis: 4,
  erythropoietin: 3,
  haemodialysis: 3,
  iron_deficiency_anaemia: 4,
  pregnancy: 1.5,
  postpartum: 1.5,
};
const DIALYSIS_CREATININE = 8;
/** Values that decide nothing are never an emergency: haemoglobin in g/dL, pressure in mmHg, and pressure of a mother. */
const LOWEST_HAEMOGLOBIN = 7.6;
const HIGHEST_PRESSURE = [178, 108] as const;
const HIGHEST_IN_PREGNANCY = [138, 88] as const;

/** What a generated record shows of the values that decide nothing. */
export function shownBackground(
  random: Random,
  values: BackgroundValues,
  context: Context | null,
): ShownBackground {
  const orMissing = <T>(value: T) => (chance(random, MISSING) ? null : value);
  const anaemia = context === null ? 0 : (ANAEMIA[context] ?? 0);
  const isMother = context === 'pregnancy' || context === 'postpartum';
  const [sbp, dbp] = isMother ? HIGHEST_IN_PREGNANCY : HIGHEST_PRESSURE;
  const creatinine = values.creatinineMgDl * (context === 'haemodialysis' ? DIALYSIS_CREATININE : 1);
  return {
    bmi: orMissing(values.bmi),
    waistCm: orMissing(values.waistCm),
    pressure: orMissing(`${Math.min(sbp, values.sbp)}/${Math.min(dbp, values.dbp)}`),
    totalCholesterolMgDl: orMissing(values.totalCholesterolMgDl),
    hdlMgDl: orMissing(values.hdlMgDl),
    triglyceridesMgDl: orMissing(values.triglyceridesMgDl),
    creatinineMgDl: orMissing(creatinine),
    haemoglobinGDl: orMissing(Math.max(LOWEST_HAEMOGLOBIN, values.haemoglobinGDl - anaemia)),
  };
}

/** The lines about the person, with which every record begins. */
export function personLines({ age, sex, ethnicity, context }: ShownPerson): Lines {
  return { 'Age (years)': age, Sex: sex, 'Self-described ethnicity': ethnicity, [CONTEXT]: context };
}

/** The lines that decide nothing, with which every record ends. */
export function addBackground(lines: Lines, { background: b, units }: ShownPerson): void {
  lines['Body mass index (kg/m2)'] = b.bmi;
  lines['Waist (cm)'] = b.waistCm;
  lines['Blood pressure (mmHg)'] = b.pressure;
  if (units === 'us') {
    lines['Total cholesterol (mg/dL)'] = b.totalCholesterolMgDl;
    lines['HDL cholesterol (mg/dL)'] = b.hdlMgDl;
    lines['Triglycerides (mg/dL)'] = b.triglyceridesMgDl;
    lines['Creatinine (mg/dL)'] = scaled(b.creatinineMgDl, 1, 0.01);
    lines['Haemoglobin (g/dL)'] = scaled(b.haemoglobinGDl, 1, 0.1);
    return;
  }
  lines['Total cholesterol (mmol/L)'] = scaled(b.totalCholesterolMgDl, CHOLESTEROL_MMOL, 0.1);
  lines['HDL cholesterol (mmol/L)'] = scaled(b.hdlMgDl, CHOLESTEROL_MMOL, 0.1);
  lines['Triglycerides (mmol/L)'] = scaled(b.triglyceridesMgDl, TRIGLYCERIDES_MMOL, 0.1);
  lines['Creatinine (umol/L)'] = scaled(b.creatinineMgDl, CREATININE_UMOL, 1);
  lines['Haemoglobin (g/L)'] = scaled(b.haemoglobinGDl, HAEMOGLOBIN_G_L, 1);
}

function scaled(value: number | null, factor: number, step: number): number | null {
  return value === null ? null : roundToStep(value * factor, step);
}

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

/** Acute measurements of a generated person; glucose in mg/dL. */
export interface MeasuredAcute extends Pick<AcuteValues, 'bohb' | 'ph' | 'bicarbonate' | 'sodium'> {
  readonly glucose: number;
  readonly needsAssistance: boolean;
  readonly isDrowsy: boolean;
}

const HELP = "needs another person's help because of low glucose";
const DROWSY = 'drowsy, hard to wake';
const AWAKE = 'awake, needs no help';

export function addAcute(lines: Lines, acute: MeasuredAcute | null, units: UnitSystem): void {
  if (acute === null) {
    lines[ACUTE] = NOTHING_ACUTE;
    return;
  }
  lines[ACUTE] = {
    [`glucose (${GLUCOSE_UNIT[units]})`]: printedGlucose(acute.glucose, units),
    'beta-hydroxybutyrate (mmol/L)': acute.bohb,
    pH: acute.ph,
    'bicarbonate (mmol/L)': acute.bicarbonate,
    'sodium (mmol/L)': acute.sodium,
    state: acute.needsAssistance ? HELP : acute.isDrowsy ? DROWSY : AWAKE,
  };
}

/** Reads acute measurements back; null where none were taken. */
export function acuteFrom(features: Features, knownDiabetes: boolean | null): AcuteValues | null {
  const shown = features[ACUTE];
  if (typeof shown !== 'object' || shown === null) return null;
  const lines = shown as Readonly<Record<string, FeatureValue>>;
  const number = (name: string) => numberIn(lines[name]);
  return {
    glucose: glucoseIn(lines, 'glucose'),
    needsAssistance: lines.state === HELP,
    knownDiabetes,
    bohb: number('beta-hydroxybutyrate (mmol/L)'),
    urineKetones: null,
    ph: number('pH'),
    bicarbonate: number('bicarbonate (mmol/L)'),
    sodium: number('sodium (mmol/L)'),
    osmolality: null,
  };
}

/** A glucose under a name that ends in its unit. */
export function glucoseIn(lines: Readonly<Record<string, FeatureValue>>, name: string): Glucose | null {
  const mgDl = numberIn(lines[`${name} (mg/dL)`]);
  if (mgDl !== null) return { value: mgDl, unit: 'mg/dL' };
  const mmolL = numberIn(lines[`${name} (mmol/L)`]);
  return mmolL === null ? null : { value: mmolL, unit: 'mmol/L' };
}

export function numberIn(value: FeatureValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

/** The clinical context of a record; null where nothing is recorded, or nothing of consequence. */
export function contextFrom(features: Features): Context | null {
  return contextOf(features[CONTEXT]);
}

/** Whether the record mentions anything under clinical context, of consequence or not. */
export function hasContextLine(features: Features): boolean {
  return (features[CONTEXT] ?? NO_CONTEXT) !== NO_CONTEXT;
}
