import type { UciClass } from '../source/columns.ts';
import type { FrequencyColumn, QuantileColumn } from './published.ts';

/** Why a patient was generated. */
export const GROUPS = [
  'ckd',
  'healthy',
  'hypertension',
  'diabetes_without_nephropathy',
  'urinary_infection',
  'anaemia',
  'acute_illness',
] as const;
export type Group = (typeof GROUPS)[number];

/** Where a group's analytes come from. All of it is our assumption unless a source is named. */
export interface AnalyteProfile {
  /** The class of the source from whose quantiles columns are drawn ... */
  readonly base: UciClass;
  /** ... except these, drawn from the CKD rows. */
  readonly fromCkd: ReadonlySet<QuantileColumn | 'su'>;
  /** Added to the normal score: 1 moves a typical patient to where the highest sixth was. */
  readonly shift: Readonly<Partial<Record<QuantileColumn | 'su' | 'sg', number>>>;
  /** How often the abnormal word appears. Not named: as published with base ckd, never with base notckd. */
  readonly frequency: Readonly<Partial<Record<FrequencyColumn, number>>>;
  /** Added to the log of the albumin-creatinine ratio before the dipstick is read: pus and fever give protein. */
  readonly dipstickShift: number;
}

/**
 * In health urine is often dilute: specific gravity is drawn from the frequencies of the CKD rows moved up by 1.2
 * scores (about a third below 1.020), not from the source's controls, none of whom is below 1.020.
 */
const HEALTHY_URINE = 1.2;

/**
 * Established CKD, GFR below 60: the CKD rows as published. They are hospital patients, sicker than most of their GFR,
 * so from GFR 30 up to 60 blood count, sodium and urea approach those of early CKD; and potassium rises below 30.
 */
function establishedCkd(gfr: number): AnalyteProfile {
  const mild = Math.min(1, Math.max(0, (gfr - 30) / 30));
  const severe = Math.min(1, Math.max(0, (30 - gfr) / 25));
  const shift = { hemo: 0.8, pcv: 0.8, rbcc: 0.8, sod: 0.5, bu: 0.5 };
  const scaled = Object.fromEntries(Object.entries(shift).map(([column, most]) => [column, most * mild]));
  return profile({ base: 'ckd', shift: { ...scaled, pot: 0.5 * severe } });
}

/**
 * CKD with GFR of 60 or more (albuminuria): renal anaemia, uraemic appetite and electrolyte shifts begin below 60, so
 * blood comes from the controls, the blood count a little lower; causes and urine from the CKD rows.
 */
const EARLY_CKD = profile({
  fromCkd: ['bp', 'bgr', 'su'],
  shift: { sg: 0.8, hemo: -0.3, pcv: -0.3, rbcc: -0.3 },
  frequency: {
    rbc: 0.35,
    pc: 0.2,
    pcc: 0.08,
    ba: 0.05,
    htn: 0.5,
    dm: 0.5,
    cad: 0.1,
    appet: 0.08,
    pe: 0.2,
    ane: 0.04,
  },
});

/** Conditions that make a record abnormal without CKD, so that detection is not a search for anything abnormal. */
const WITHOUT_CKD: Readonly<Record<Exclude<Group, 'ckd'>, AnalyteProfile>> = {
  healthy: profile({ frequency: { rbc: 0.02, pc: 0.02, appet: 0.02, pe: 0.02 } }),
  hypertension: profile({
    fromCkd: ['bp'],
    shift: { bp: 0.8 },
    frequency: { htn: 1, cad: 0.12, pe: 0.1, rbc: 0.03, pc: 0.03 },
  }),
  diabetes_without_nephropathy: profile({
    fromCkd: ['bp', 'bgr', 'su'],
    shift: { bgr: 0.6, su: 0.6 },
    frequency: { dm: 1, htn: 0.45, cad: 0.12, pe: 0.06, pc: 0.06, ba: 0.04 },
  }),
  urinary_infection: profile({
    fromCkd: ['wbcc'],
    shift: { wbcc: 0.6 },
    frequency: { rbc: 0.4, pc: 0.85, pcc: 0.5, ba: 0.75, appet: 0.2, htn: 0.15, dm: 0.15 },
    dipstickShift: 1.3,
  }),
  anaemia: profile({
    fromCkd: ['hemo', 'pcv', 'rbcc'],
    shift: { hemo: -0.2, pcv: -0.2, rbcc: -0.2 },
    frequency: { ane: 0.75, appet: 0.2, pe: 0.15, htn: 0.1, dm: 0.1 },
  }),
  acute_illness: profile({
    fromCkd: ['wbcc', 'sod', 'pot', 'bgr'],
    shift: { wbcc: 1, bu: 0.8, sod: 0.3 },
    frequency: { appet: 0.6, pe: 0.1, ane: 0.1, htn: 0.2, dm: 0.15, pc: 0.1 },
    dipstickShift: 1,
  }),
};

/**
 * The profile of one patient.
 *
 * In acute kidney injury urea and electrolytes follow the raised creatinine, which lies outside what the controls
 * have: the whole renal panel is drawn from the CKD rows, potassium a score higher (the kidney had no time to adapt).
 *
 * @example
 * ```ts
 * profileOf('ckd', { gfr: 59 }).base // => 'ckd'
 * profileOf('ckd', { gfr: 75 }).base // => 'notckd'
 * profileOf('anaemia', { gfr: 90 }).frequency.ane // => 0.75
 * ```
 */
export function profileOf(
  group: Group,
  kidney: { readonly gfr: number; readonly acuteKidneyInjury?: boolean },
): AnalyteProfile {
  const usual =
    group !== 'ckd' ? WITHOUT_CKD[group] : kidney.gfr < 60 ? establishedCkd(kidney.gfr) : EARLY_CKD;
  if (kidney.acuteKidneyInjury !== true) return usual;
  return {
    ...usual,
    fromCkd: new Set([...usual.fromCkd, 'sc', 'bu', 'sod', 'pot']),
    shift: { ...usual.shift, bu: 0, pot: 1 },
  };
}

function profile(parts: {
  readonly base?: UciClass;
  readonly fromCkd?: readonly (QuantileColumn | 'su')[];
  readonly shift?: AnalyteProfile['shift'];
  readonly frequency?: AnalyteProfile['frequency'];
  readonly dipstickShift?: number;
}): AnalyteProfile {
  const { base = 'notckd', fromCkd = [], shift = {}, frequency = {}, dipstickShift = 0 } = parts;
  return {
    base,
    fromCkd: new Set(fromCkd),
    shift: base === 'ckd' ? shift : { sg: HEALTHY_URINE, ...shift },
    frequency,
    dipstickShift,
  };
}
