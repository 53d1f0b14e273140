import type { Random } from '../../statistics/random.ts';
import { normalQuantile } from '../../statistics/special-functions.ts';
import survey from './background.json' with { type: 'json' };
import { cholesky, normal, normalCorrelation, roundToStep } from './distributions.ts';
import { type Person, SEXES } from './people.ts';

/** Values that belong to a person and decide nothing unless a task says so; US units, at the precision that laboratories print. */
export interface BackgroundValues {
  readonly hba1cPercent: number;
  readonly sbp: number;
  readonly dbp: number;
  readonly bmi: number;
  readonly hdlMgDl: number;
  readonly totalCholesterolMgDl: number;
  readonly triglyceridesMgDl: number;
  readonly creatinineMgDl: number;
  readonly waistCm: number;
  readonly armCircumferenceCm: number;
  readonly haemoglobinGDl: number;
}

/** The columns of the survey's correlation matrix; a cohort may know some of them before it draws the others. */
const COLUMNS = [
  'hba1c_percent',
  'sbp',
  'dbp',
  'bmi',
  'hdl_mg_dl',
  'total_cholesterol_mg_dl',
  'triglycerides_mg_dl',
  'creatinine_mg_dl',
] as const;
export type BackgroundColumn = (typeof COLUMNS)[number];

type Demographics = Pick<Person, 'sex' | 'age'>;
type Distribution = readonly number[] | { readonly mean: number; readonly sd: number };

const SCORES: readonly number[] = survey.percents.map((percent) => normalQuantile(percent / 100));
const AGE_BANDS = ['20-44', '45-64', '65+'] as const;

/** For women and men, and in each for the bands of age: the distribution of every column. The survey publishes some columns for all adults only. */
const GROUPS = SEXES.map((sex) =>
  AGE_BANDS.map((band) => {
    const own = survey.by_sex_and_age[`${sex} ${band}`];
    const { creatinine_mg_dl: all, ...overall } = survey.overall;
    const creatinine = all.map((value) => value * survey.sex_factor.creatinine_mg_dl[sex]);
    const waist = overall.waist_cm.map((value) => value * survey.sex_factor.waist_cm[sex]);
    const haemoglobin = survey.haemoglobin_g_dl[sex];
    return {
      ...overall,
      ...own,
      creatinine_mg_dl: creatinine,
      waist_cm: waist,
      haemoglobin_g_dl: haemoglobin,
    };
  }),
);

function findGroup({ sex, age }: Demographics) {
  return GROUPS[SEXES.indexOf(sex)]![age < 45 ? 0 : age < 65 ? 1 : 2]!;
}

/**
 * The normal score of a value among people of the same sex and age: 0 at the median. Scores beyond the smallest and largest published quantile (1 and 99 %) are theirs.
 *
 * @example
 * ```ts
 * backgroundScore('hba1c_percent', { sex: 'female', age: 50 }, 5.6) // => 0
 * backgroundScore('sbp', { sex: 'male', age: 30 }, 120.655) // => 0
 * ```
 */
export function backgroundScore(column: BackgroundColumn, person: Demographics, value: number): number {
  const distribution: Distribution = findGroup(person)[column];
  if ('sd' in distribution) return (value - distribution.mean) / distribution.sd;
  const first = distribution.indexOf(value);
  if (first >= 0) return (SCORES[first]! + SCORES[distribution.lastIndexOf(value)]!) / 2;
  return interpolate(distribution, SCORES, value);
}

/**
 * Makes a function that draws the values of a person, given the scores of the columns that the cohort has decided already, in the order named. Ranks come from a Gaussian copula with the survey's
 * Spearman correlations; they are ranks among people of the same sex and age, so age enters through the quantiles alone. Waist and arm follow BMI.
 *
 * @example
 * ```ts
 * const draw = backgroundGenerator(['hba1c_percent']);
 * const middle = { generator: 'xoroshiro128plus', integer: () => 0, float: () => 0.5 } as const;
 * const values = draw(middle, { sex: 'female', age: 50 }, [0]);
 * [values.hba1cPercent, values.bmi, values.hdlMgDl] // => [5.6, 28.8, 58]
 * ```
 */
export function backgroundGenerator(
  known: readonly BackgroundColumn[],
): (random: Random, person: Demographics, knownScores: readonly number[]) => BackgroundValues {
  // With the known columns first, conditioning on them is a forward substitution.
  const order = [...known, ...COLUMNS.filter((column) => !known.includes(column))];
  const factor = cholesky(order.map((a) => order.map((b) => (a === b ? 1 : correlation(a, b)))));
  const place = COLUMNS.map((column) => order.indexOf(column));
  const e = new Float64Array(order.length);
  const z = new Float64Array(order.length);
  return (random, person, knownScores) => {
    for (let k = 0; k < order.length; k++) {
      const row = factor[k]!;
      let fromEarlier = 0;
      for (let j = 0; j < k; j++) fromEarlier += row[j]! * e[j]!;
      e[k] = k < known.length ? (knownScores[k]! - fromEarlier) / row[k]! : normal(random);
      z[k] = k < known.length ? knownScores[k]! : fromEarlier + row[k]! * e[k]!;
    }
    const group = findGroup(person);
    const score = (column: number) => z[place[column]!]!;
    const bmi = score(3);
    const sbp = roundToStep(valueAt(group.sbp, score(1)), 1);
    return {
      hba1cPercent: roundToStep(valueAt(group.hba1c_percent, score(0)), 0.1),
      sbp,
      // Readings with less than 15 mmHg between them are not seen in people who are up and about.
      dbp: Math.min(sbp - 15, roundToStep(valueAt(group.dbp, score(2)), 1)),
      bmi: roundToStep(valueAt(group.bmi, bmi), 0.1),
      hdlMgDl: roundToStep(valueAt(group.hdl_mg_dl, score(4)), 1),
      totalCholesterolMgDl: roundToStep(valueAt(group.total_cholesterol_mg_dl, score(5)), 1),
      triglyceridesMgDl: roundToStep(valueAt(group.triglycerides_mg_dl, score(6)), 1),
      creatinineMgDl: roundToStep(valueAt(group.creatinine_mg_dl, score(7)), 0.01),
      waistCm: roundToStep(valueAt(group.waist_cm, fromBmi(random, 'waist_cm', bmi)), 1),
      armCircumferenceCm: roundToStep(
        valueAt(group.arm_circumference_cm, fromBmi(random, 'arm_circumference_cm', bmi)),
        1,
      ),
      haemoglobinGDl: roundToStep(valueAt(group.haemoglobin_g_dl, normal(random)), 0.1),
    };
  };
}

function correlation(a: BackgroundColumn, b: BackgroundColumn): number {
  const published: Readonly<Record<string, number>> = survey.spearman;
  return normalCorrelation(published[`${a}~${b}`] ?? published[`${b}~${a}`]!);
}

function fromBmi(random: Random, column: keyof typeof survey.from_bmi, bmi: number): number {
  const r = normalCorrelation(survey.from_bmi[column]);
  return r * bmi + Math.sqrt(1 - r * r) * normal(random);
}

function valueAt(distribution: Distribution, score: number): number {
  if ('sd' in distribution) return distribution.mean + distribution.sd * Math.max(-2.5, Math.min(2.5, score));
  return interpolate(SCORES, distribution, score);
}

/** y at x on the line through the points (xs, ys), xs rising; flat beyond the ends. */
function interpolate(xs: readonly number[], ys: readonly number[], x: number): number {
  const last = xs.length - 1;
  if (x <= xs[0]!) return ys[0]!;
  if (x >= xs[last]!) return ys[last]!;
  let right = 1;
  while (xs[right]! <= x) right++;
  const share = (x - xs[right - 1]!) / (xs[right]! - xs[right - 1]!);
  return ys[right - 1]! + share * (ys[right]! - ys[right - 1]!);
}
