import type { Random } from '../../../statistics/random.ts';
import { normalQuantile } from '../../../statistics/special-functions.ts';
import { chance, choose, uniform } from '../../cohort/distributions.ts';
import { ADULT_AGE, type Sex } from '../equations/ckd-epi.ts';
import type { UciClass } from '../source/columns.ts';
import design from './design.json' with { type: 'json' };
import parts from './profiles.json' with { type: 'json' };
import { type FrequencyColumn, interpolate, type QuantileColumn } from './published.ts';

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
 * chooseProfile('ckd', { gfr: 59 }).base // => 'ckd'
 * chooseProfile('ckd', { gfr: 75 }).base // => 'notckd'
 * chooseProfile('anaemia', { gfr: 90 }).frequency.ane // => 0.75
 * ```
 */
export function chooseProfile(
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

/**
 * Assumptions, in the order of drawing:
 *
 * - Sex: a fair coin, drawn first, so that nothing about it follows from an analyte, an age or a group.
 * - Age: 3 % children of 4 to 17, for whom CKD-EPI has no answer; adults by the quantiles below, wider than the source
 *   so that each age band of a fairness table (18-44, 45-64, 65-74, from 75) has at least a tenth of the cohort.
 * - Group: CKD with probability 0.30 + 0.0038 age, 0.40 at 25 and 0.60 at 80 and half overall (a design choice: a task
 *   needs both classes; no prevalence is meant). The others by the weights below. Children have neither hypertension
 *   nor diabetes as their group.
 */
export interface Demographics {
  readonly sex: Sex;
  readonly age: number;
  readonly group: Group;
}

const CHILD_SHARE = 0.03;
const ADULT_AGES = [18, 30, 45, 55, 65, 75, 93];
const ADULT_SHARES = [0, 0.12, 0.33, 0.51, 0.71, 0.89, 1];

export function drawDemographics(random: Random): Demographics {
  const sex: Sex = chance(random, 0.5) ? 'female' : 'male';
  const child = chance(random, CHILD_SHARE);
  const age = Math.floor(
    child ? uniform(random, 4, ADULT_AGE) : interpolate(ADULT_SHARES, ADULT_AGES, random.float()),
  );
  const ckd = chance(random, 0.3 + 0.0038 * age);
  const { groupsWithoutCkd: adult } = design;
  const weights = child ? { ...adult, hypertension: 0, diabetes_without_nephropathy: 0 } : adult;
  const other = choose(random, weights);
  return { sex, age, group: ckd ? 'ckd' : other };
}

/** The normal score of an age among the adults of the cohort; children are at the lower end. */
export function ageScore(age: number): number {
  const share = interpolate(ADULT_AGES, ADULT_SHARES, age + 0.5);
  return normalQuantile(Math.min(0.995, Math.max(0.005, share)));
}
