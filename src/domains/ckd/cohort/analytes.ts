import type { Random } from '../../../statistics/random.ts';
import { normalQuantile } from '../../../statistics/special-functions.ts';
import { cholesky, normal, normalCorrelation, roundToStep } from '../../cohort/distributions.ts';
import type { UciFeature, UciValue } from '../source/columns.ts';
import type { AnalyteProfile } from './groups.ts';
import { ageScore, type Demographics } from './groups.ts';
import { acrScore } from './kidney-function.ts';
import {
  type FrequencyColumn,
  PUBLISHED_FREQUENCIES,
  PUBLISHED_LEVELS,
  PUBLISHED_QUANTILES,
  PUBLISHED_SPEARMAN,
  type QuantileColumn,
  REPORTED_STEP,
  scoreOfValue,
  valueAtScore,
} from './published.ts';

/** The columns that are drawn here: all but age, creatinine and the albumin strip, which the others are drawn given. */
export type DrawnAnalytes = Readonly<Record<Exclude<UciFeature, 'age' | 'sc' | 'al'>, UciValue>>;

/**
 * Draws the other columns of a record through the copula, given age, creatinine and albuminuria, each from the
 * quantiles or frequencies its profile names.
 *
 * Creatinine enters by its rank. Men have more of it at the same GFR, so it is first brought to one scale by the
 * equation's kappa (0.7 mg/dL in women, 0.9 in men): otherwise men would get the urea and the anaemia of worse kidneys.
 * The source has no sex; haemoglobin, packed cell volume and red cells depend on it here: women are lower, men higher,
 * by 0.7 scores in health (about 1.9 g/dL between them) and 0.4 in CKD, with the spread inside each sex narrowed so
 * that the whole keeps the published quantiles. Children under 13 have the blood counts of their age, about a fifth lower.
 */
export function drawAnalytes(
  random: Random,
  patient: Demographics & {
    /** Steady-state creatinine, times an acute rise if there is one. */
    readonly creatinineMgDl: number;
    readonly acr: number;
    readonly profile: AnalyteProfile;
  },
): DrawnAnalytes {
  const { sex, age, group, profile } = patient;
  // Rounded, because the score jumps where quantiles are tied.
  const creatinine = roundToStep((patient.creatinineMgDl * 0.8) / KAPPA[sex], 0.0001);
  const scores = drawScores(random, {
    age: ageScore(age),
    sc: scoreOfValue('sc', chooseClass('sc', profile), creatinine),
    al: acrScore(patient.acr, group),
  });

  const values = { ...NOTHING_DRAWN };
  for (const column of QUANTILE_COLUMNS) values[column] = quantity(column, scores, profile, patient);
  values.sg = level('sg', scores.sg + (profile.shift.sg ?? 0));
  values.su = chooseClass('su', profile) === 'ckd' ? level('su', scores.su + (profile.shift.su ?? 0)) : 0;
  for (const column of FREQUENCY_COLUMNS) values[column] = word(column, scores, profile);
  // History agrees with findings: what a patient has been found to have, the record says.
  const { ane, cad, dm, htn, pc, pcc } = PUBLISHED_FREQUENCIES;
  const anaemiaBelow = age < CHILD_BLOOD_AGE ? ANAEMIA_BELOW.child : ANAEMIA_BELOW[sex];
  if ((values.hemo as number) >= anaemiaBelow) values.ane = ane.normal;
  else if ((values.hemo as number) < ANAEMIA_KNOWN_BELOW) values.ane = ane.abnormal;
  if (age < CORONARY_AGE) values.cad = cad.normal;
  if ((values.bgr as number) >= DIABETIC_GLUCOSE) values.dm = dm.abnormal;
  else if (age < DIABETES_AGE) values.dm = dm.normal;
  if ((values.bp as number) >= HYPERTENSIVE_PRESSURE) values.htn = htn.abnormal;
  if (values.pcc === pcc.abnormal) values.pc = pc.abnormal;
  return values;
}

const KAPPA = { female: 0.7, male: 0.9 } as const;
const BLOOD_COUNT = new Set<QuantileColumn>(['hemo', 'pcv', 'rbcc']);
const SEX_SHIFT = { ckd: 0.4, notckd: 0.7 } as const;
const CHILD_BLOOD: Partial<Record<QuantileColumn, number>> = { hemo: 0.82, pcv: 0.82, rbcc: 0.9 };
const CHILD_BLOOD_AGE = 13;
/** Haemoglobin in g/dL, definition of the World Health Organization. */
const ANAEMIA_BELOW = { female: 12, male: 13, child: 11.5 } as const;
/** Haemoglobin in g/dL, glucose in mg/dL and diastolic pressure in mmHg at which the diagnosis is in every history: ours. */
const ANAEMIA_KNOWN_BELOW = 10;
const DIABETIC_GLUCOSE = 200;
const HYPERTENSIVE_PRESSURE = 100;
const CORONARY_AGE = 40;
/** Below this age diabetes is of type 1, and shows in the glucose. */
const DIABETES_AGE = 25;

type DrawnQuantity = Exclude<QuantileColumn, 'sc'>;
const QUANTILE_COLUMNS = Object.keys(PUBLISHED_QUANTILES).filter((c) => c !== 'sc') as DrawnQuantity[];
const FREQUENCY_COLUMNS = Object.keys(PUBLISHED_FREQUENCIES) as FrequencyColumn[];
const NOTHING_DRAWN = Object.fromEntries(
  [...QUANTILE_COLUMNS, 'sg', 'su', ...FREQUENCY_COLUMNS].map((column) => [column, null]),
) as Record<keyof DrawnAnalytes, UciValue>;

function chooseClass(column: QuantileColumn | 'su', profile: AnalyteProfile) {
  return profile.fromCkd.has(column) ? 'ckd' : profile.base;
}

function quantity(
  column: DrawnQuantity,
  scores: Scores,
  profile: AnalyteProfile,
  { sex, age }: Demographics,
): number {
  const from = chooseClass(column, profile);
  let score = scores[column];
  if (BLOOD_COUNT.has(column)) {
    const shift = SEX_SHIFT[from];
    score = score * Math.sqrt(1 - shift ** 2) + (sex === 'male' ? shift : -shift);
  }
  const factor = age < CHILD_BLOOD_AGE ? (CHILD_BLOOD[column] ?? 1) : 1;
  return roundToStep(
    factor * valueAtScore(column, from, score + (profile.shift[column] ?? 0)),
    REPORTED_STEP[column],
  );
}

function level(column: keyof typeof PUBLISHED_LEVELS, score: number): number {
  const { levels } = PUBLISHED_LEVELS[column];
  const above = LEVEL_EDGES[column].findIndex((edge) => score < edge);
  return above < 0 ? levels.at(-1)! : levels[above]!;
}

function word(column: FrequencyColumn, scores: Scores, profile: AnalyteProfile): string {
  const { abnormal, normal, n, of } = PUBLISHED_FREQUENCIES[column];
  const frequency = profile.frequency[column] ?? (profile.base === 'ckd' ? n / of : 0);
  return scores[column] > getEdge(frequency) ? abnormal : normal;
}

/** The score above which a share of this size lies. The profiles name few shares, so each is worked out once. */
function getEdge(frequency: number): number {
  const edge = FREQUENCY_EDGES.get(frequency) ?? normalQuantile(1 - frequency);
  FREQUENCY_EDGES.set(frequency, edge);
  return edge;
}

const FREQUENCY_EDGES = new Map<number, number>();

/** The scores at which one level gives way to the next. */
const LEVEL_EDGES = { sg: levelEdges('sg'), su: levelEdges('su') };

function levelEdges(column: keyof typeof PUBLISHED_LEVELS): number[] {
  const counts: readonly number[] = PUBLISHED_LEVELS[column].counts;
  const total = counts.reduce((sum, count) => sum + count, 0);
  let below = 0;
  return counts.slice(0, -1).map((count) => {
    below += count;
    return normalQuantile(below / total);
  });
}

/** A normal score for every column: the patient's rank among comparable ones. */
type Scores = Readonly<Record<UciFeature, number>>;

const COLUMNS = Object.keys(PUBLISHED_SPEARMAN) as UciFeature[];
// The known columns come first: conditioning on them is then a forward substitution.
const KNOWN = ['age', 'sc', 'al'] as const;
const OTHERS = COLUMNS.filter((column) => !(KNOWN as readonly string[]).includes(column));
const ORDER: readonly UciFeature[] = [...KNOWN, ...OTHERS];

/** A copy of it is filled faster than an object that grows column by column. */
const AVERAGE = Object.fromEntries(ORDER.map((column) => [column, 0])) as Record<UciFeature, number>;

const FACTOR = cholesky(
  ORDER.map((a) => ORDER.map((b) => (a === b ? 1 : normalCorrelation(spearman(a, b))))),
).map((row) => Float64Array.from(row));

/**
 * Draws the normal scores of all columns from a Gaussian copula, given those of age, creatinine and albumin.
 *
 * Correlations are those of the CKD rows, for every patient (see `PUBLISHED_SPEARMAN`). A rank correlation rho belongs
 * to bivariate normals with correlation 2 sin(pi rho / 6) (Pearson 1907); the matrix so made is positive definite as
 * it is (smallest eigenvalue 0.021) and needs no repair. Columns with few levels are thresholded scores; the
 * ties of the source already weakened their rank correlations and thresholding weakens them once more, so they come
 * out weaker than published. Correcting for that would make the matrix indefinite.
 *
 * With scores z = L e, L the Cholesky factor and e independent, the known z of the first columns give their e by
 * forward substitution, and drawing the other e gives exactly the conditional normal distribution. Scores are rounded
 * to six decimals, so that a threshold is not decided by the last bit of another machine's sine.
 */
export function drawScores(random: Random, known: Pick<Scores, 'age' | 'sc' | 'al'>): Scores {
  const scores = { ...AVERAGE, ...known };
  const e = new Float64Array(ORDER.length);
  for (let k = 0; k < ORDER.length; k++) {
    const column = ORDER[k]!;
    const row = FACTOR[k]!;
    let fromEarlier = 0;
    for (let j = 0; j < k; j++) fromEarlier += row[j]! * e[j]!;
    if (k < KNOWN.length) {
      e[k] = (scores[column] - fromEarlier) / row[k]!;
    } else {
      e[k] = normal(random);
      scores[column] = roundToStep(fromEarlier + row[k]! * e[k]!, 1e-6);
    }
  }
  return scores;
}

function spearman(a: UciFeature, b: UciFeature): number {
  const [first, second] = [COLUMNS.indexOf(a), COLUMNS.indexOf(b)];
  return first > second ? PUBLISHED_SPEARMAN[a][second]! : PUBLISHED_SPEARMAN[b][first]!;
}
