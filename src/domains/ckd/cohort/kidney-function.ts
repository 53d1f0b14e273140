import type { Random } from '../../../statistics/random.ts';
import { choose, roundToStep, truncatedNormal, uniform } from '../../cohort/distributions.ts';
import { ckdEpi2021, type Sex } from '../equations/ckd-epi.ts';
import type { GCategory } from '../equations/kdigo.ts';
import type { Demographics } from './groups.ts';
import { interpolate } from './published.ts';

/**
 * The true state at the index visit. GFR here is GFR on the scale of CKD-EPI 2021: that the equation itself misses
 * measured GFR is not modelled.
 *
 * Assumptions:
 *
 * - Without CKD: GFR lognormal around 107.3 mL/min/1.73 m2, falling by 1.2 % a year from 40 (the normal values behind
 *   the FAS equation, Pottel et al., Nephrol Dial Transplant 2016;31:798), log SD 0.13, kept at 60 or more, else it
 *   would be CKD. ACR lognormal around 8 mg/g (12 with hypertension or diabetes), log SD 0.55, kept below 30.
 * - CKD: the category first, by the weights below (a design choice: all stages are needed), then GFR uniform in it,
 *   from 5 up to the ceiling. ACR lognormal with log SD 1.4 around 15 mg/g in G3a, 25 in G3b, 80 in G4, 350 in G5;
 *   in G1 and G2, where albuminuria is what makes it CKD, around 45 and 55 with log SD 1, kept at 30 or more: ACR rises as GFR falls, with a rank correlation of about -0.25.
 * - Ceiling of GFR: what 0.5 mg/dL of creatinine in a woman and 0.6 in a man give by the equation, 130 in a child.
 *   Above it CKD-EPI is so flat that it would answer with creatinine values that no adult has. In old age 1.35 times the normal GFR of that age.
 */
export interface KidneyState {
  /** mL/min/1.73 m2, two decimals. */
  readonly gfr: number;
  /** mg/g, one decimal. */
  readonly acr: number;
}

const LOWEST_USUAL_CREATININE = { female: 0.5, male: 0.6 } as const;
const CHILD_CEILING = 130;
const LOWEST_GFR = 5;

export function drawKidneyState(random: Random, { group, age, sex }: Demographics): KidneyState {
  if (group === 'ckd') return drawCkd(random, age, sex);
  const gfr = logNormal(random, { median: normalGfr(age), sd: 0.13, low: 60, high: gfrCeiling(age, sex) });
  const acr = logNormal(random, { median: medianAcrWithoutCkd(group), sd: 0.55, low: 0, high: 29.9 });
  return rounded(Math.max(60, gfr), acr);
}

/**
 * The largest true GFR a person is given.
 *
 * @example
 * ```ts
 * gfrCeiling(9, 'male') // => 130
 * ```
 */
export function gfrCeiling(age: number, sex: Sex): number {
  const byCreatinine = ckdEpi2021({ creatinineMgDl: LOWEST_USUAL_CREATININE[sex], age, sex });
  return byCreatinine === null ? CHILD_CEILING : Math.min(byCreatinine, 1.35 * normalGfr(age));
}

/**
 * The rank of an ACR within its class, as a normal score. With CKD by the dipstick grades of the 209 CKD rows
 * that have one: grade 1 begins at the 26th percentile there and at 40 mg/g in `dipstickGrade`, and so on. Without
 * CKD by the distribution it was drawn from.
 */
export function acrScore(acr: number, group: Demographics['group']): number {
  if (group !== 'ckd') return Math.log(acr / medianAcrWithoutCkd(group)) / 0.55;
  return interpolate(LOG_ACR, SCORE_OF_LOG_ACR, Math.log(acr));
}

// 54, 98, 141, 184 and 208 of 209 rows have a grade below 1, 2, 3, 4 and 5.
const LOG_ACR = [2, 40, 150, 500, 1500, 5000, 12_000].map(Math.log);
const SCORE_OF_LOG_ACR = [-2.3, -0.65, -0.08, 0.45, 1.18, 2.59, 2.8];

/** The range of GFR in each category, and the usual albuminuria. */
const CKD_STATES: Readonly<
  Record<GCategory, { readonly gfr: readonly [low: number, high: number]; readonly medianAcr: number }>
> = {
  G1: { gfr: [90, 120], medianAcr: 45 },
  G2: { gfr: [60, 90], medianAcr: 55 },
  G3a: { gfr: [45, 60], medianAcr: 15 },
  G3b: { gfr: [30, 45], medianAcr: 25 },
  G4: { gfr: [15, 30], medianAcr: 80 },
  G5: { gfr: [LOWEST_GFR, 15], medianAcr: 350 },
};

function drawCkd(random: Random, age: number, sex: Sex): KidneyState {
  const category = choose(random, {
    // A GFR of 90 is rare in old age, with or without CKD.
    G1: age < 60 ? 0.16 : age < 75 ? 0.05 : 0,
    G2: 0.17,
    G3a: 0.19,
    G3b: 0.17,
    G4: 0.16,
    G5: 0.15,
  } satisfies Record<GCategory, number>);
  const {
    gfr: [low, high],
    medianAcr,
  } = CKD_STATES[category];
  const gfr = uniform(random, low, Math.min(high, gfrCeiling(age, sex)));
  const byAlbuminuria = category === 'G1' || category === 'G2';
  const acr = logNormal(random, {
    median: medianAcr,
    sd: byAlbuminuria ? 1 : 1.4,
    low: byAlbuminuria ? 30.1 : 2,
    high: 10_000,
  });
  return rounded(gfr, acr);
}

function normalGfr(age: number): number {
  return 107.3 * 0.988 ** Math.max(0, age - 40);
}

function medianAcrWithoutCkd(group: Demographics['group']): number {
  return group === 'hypertension' || group === 'diabetes_without_nephropathy' ? 12 : 8;
}

function logNormal(
  random: Random,
  { median, sd, low, high }: Readonly<Record<'median' | 'sd' | 'low' | 'high', number>>,
): number {
  const shape = { mean: Math.log(median), sd, low: Math.log(low), high: Math.log(high) };
  return Math.exp(truncatedNormal(random, shape));
}

function rounded(gfr: number, acr: number): KidneyState {
  return { gfr: roundToStep(gfr, 0.01), acr: roundToStep(acr, 0.1) };
}
