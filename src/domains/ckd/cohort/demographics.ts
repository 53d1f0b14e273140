import { normalQuantile, type Random } from '../../../statistics/index.ts';
import { chance, choose, uniform } from '../../cohort/distributions.ts';
import { ADULT_AGE, type Sex } from '../equations/ckd-epi.ts';
import design from './design.json' with { type: 'json' };
import type { Group } from './groups.ts';
import { interpolate } from './quantile-grid.ts';

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
