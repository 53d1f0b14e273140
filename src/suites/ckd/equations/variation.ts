import { normalCdf } from '../../../statistics/index.ts';
import { clinicalError } from '../../domains/clinical-error.ts';
import { type CreatinineReading, ckdEpi2021, creatinineForEgfr, type Sex } from './ckd-epi.ts';
import { G_CATEGORIES, G_LOWER_BOUND, type GCategory, gCategory } from './kdigo.ts';

/** Coefficients of variation of one creatinine value, as fractions. */
export interface CreatinineVariation {
  /** Within one person in a steady state. Default 0.05 (meta-analysis of 37 studies, outlier studies left out). */
  readonly cvWithinPerson?: number;
  /** Of the laboratory method. Default 0.011 (same source). */
  readonly cvAnalytical?: number;
}

/**
 * The standard deviation of log creatinine around the person's true value:
 *
 *     s = sqrt(ln(1 + CVi^2 + CVa^2))
 *
 * which is 0.0512 with the defaults. Source of the defaults: Front Med 2022;9:1009358.
 *
 * @example
 * ```ts
 * logCreatinineSd() // => Math.sqrt(Math.log(1 + 0.05 ** 2 + 0.011 ** 2))
 * logCreatinineSd({ cvWithinPerson: 0, cvAnalytical: 0 }) // => 0
 * ```
 */
export function logCreatinineSd({
  cvWithinPerson = 0.05,
  cvAnalytical = 0.011,
}: CreatinineVariation = {}): number {
  for (const cv of [cvWithinPerson, cvAnalytical]) {
    if (Number.isFinite(cv) && cv >= 0) continue;
    throw clinicalError(`coefficient of variation is ${cv}; expected a fraction such as 0.05`, cv);
  }
  return Math.sqrt(Math.log1p(cvWithinPerson ** 2 + cvAnalytical ** 2));
}

export interface CategoryFlip {
  readonly egfr: number;
  readonly gCategory: GCategory;
  /** The probability that the person's true category is another one. */
  readonly flipProbability: number;
}

/**
 * How likely it is that one creatinine value shows the wrong GFR category. The true creatinine is taken as lognormal
 * around the observed one with `logCreatinineSd`; the flip probability is the mass beyond the two creatinine values at
 * which eGFR meets the edges of the observed category (categories further away lie inside those tails). Error of the
 * equation itself is not in it. Null where CKD-EPI gives no estimate.
 *
 * @example
 * ```ts
 * categoryFlipProbability({ creatinineMgDl: 1, age: 60, sex: 'female' }).gCategory // => 'G2'
 * categoryFlipProbability({ creatinineMgDl: 1, age: 12, sex: 'female' }) // => null
 * ```
 */
export function categoryFlipProbability(
  reading: CreatinineReading & CreatinineVariation,
): CategoryFlip | null {
  const egfr = ckdEpi2021(reading);
  if (egfr === null) return null;
  const category = gCategory(egfr);
  const s = logCreatinineSd(reading);
  if (s === 0) return { egfr, gCategory: category, flipProbability: 0 };

  // An estimate exists, so none of these is null.
  const { creatinineMgDl, age, sex } = reading as { creatinineMgDl: number; age: number; sex: Sex };
  const distance = (edge: number) =>
    Math.log(creatinineForEgfr({ egfr: edge, age, sex })! / creatinineMgDl) / s;
  const milder = G_CATEGORIES[G_CATEGORIES.indexOf(category) - 1];
  const pMilder = milder === undefined ? 0 : normalCdf(distance(G_LOWER_BOUND[milder]));
  const pWorse = category === 'G5' ? 0 : normalCdf(-distance(G_LOWER_BOUND[category]));
  return { egfr, gCategory: category, flipProbability: pMilder + pWorse };
}
