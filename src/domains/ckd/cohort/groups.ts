import type { UciClass } from '../source/columns.ts';
import design from './design.json' with { type: 'json' };
import parts from './profiles.json' with { type: 'json' };
import type { FrequencyColumn, QuantileColumn } from './published.ts';

/** Why a patient was generated. */
export const GROUPS = ['ckd', ...(Object.keys(design.groupsWithoutCkd) as GroupWithoutCkd[])] as const;
type GroupWithoutCkd = keyof typeof design.groupsWithoutCkd;
export type Group = 'ckd' | GroupWithoutCkd;

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

type ProfileParts = Partial<Omit<AnalyteProfile, 'fromCkd'>> & {
  readonly fromCkd?: readonly (QuantileColumn | 'su')[];
};

/**
 * In health urine is often dilute: specific gravity is drawn from the frequencies of the CKD rows moved up by 1.2
 * scores (about a third below 1.020), not from the source's controls, none of whom is below 1.020.
 */
const HEALTHY_URINE = 1.2;
/** Sodium of the controls is spread evenly from 135 to 150; moved down by this, five of six are at 145 or less. */
const HEALTHY_SODIUM = -0.5;

/**
 * Established CKD, GFR below 60: the CKD rows as published. They are hospital patients, sicker than most of their GFR,
 * so from GFR 30 up to 60 blood count, sodium and urea approach those of early CKD. Potassium rises as GFR falls below 45 (rank correlation with creatinine there about 0.35).
 */
function establishedCkd(gfr: number): AnalyteProfile {
  const mild = Math.min(1, Math.max(0, (gfr - 30) / 30));
  const severe = Math.min(1, Math.max(0, (45 - gfr) / 40));
  return {
    ...CKD_ROWS,
    shift: {
      hemo: 0.8 * mild,
      pcv: 0.8 * mild,
      rbcc: 0.8 * mild,
      sod: 0.5 * mild,
      bu: 0.5 * mild,
      pot: severe + 0.25 * mild - 0.35,
    },
  };
}

const CKD_ROWS = profile({ base: 'ckd' });

/** The numbers of `profiles.json`, all of them ours. */
const PROFILES: Readonly<Record<GroupWithoutCkd | 'early_ckd', ProfileParts>> = parts as Record<
  keyof typeof parts,
  ProfileParts
>;

/**
 * CKD with GFR of 60 or more (albuminuria): renal anaemia, uraemic appetite and electrolyte shifts begin below 60, so
 * blood comes from the controls, the blood count a little lower; causes and urine from the CKD rows.
 */
const EARLY_CKD = profile(PROFILES.early_ckd);

const WITHOUT_CKD = Object.fromEntries(
  Object.entries(PROFILES).map(([group, part]) => [group, profile(part)]),
) as Record<GroupWithoutCkd, AnalyteProfile>;

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
  // The others make a record abnormal without CKD, so that detection is not a search for anything abnormal.
  const usual =
    group !== 'ckd' ? WITHOUT_CKD[group] : kidney.gfr < 60 ? establishedCkd(kidney.gfr) : EARLY_CKD;
  if (kidney.acuteKidneyInjury !== true) return usual;
  return {
    ...usual,
    fromCkd: new Set([...usual.fromCkd, 'sc', 'bu', 'sod', 'pot']),
    shift: { ...usual.shift, bu: 0, pot: 1 },
  };
}

function profile(given: ProfileParts): AnalyteProfile {
  const { base = 'notckd', fromCkd = [], shift = {}, frequency = {}, dipstickShift = 0 } = given;
  return {
    base,
    fromCkd: new Set(fromCkd),
    shift:
      base === 'ckd'
        ? shift
        : { sg: HEALTHY_URINE, ...(fromCkd.includes('sod') ? {} : { sod: HEALTHY_SODIUM }), ...shift },
    frequency,
    dipstickShift,
  };
}
