import type { Random } from '../../../statistics/index.ts';
import { cholesky, normalCorrelation } from '../../cohort/correlation.ts';
import { normal } from '../../cohort/distributions.ts';
import { roundToStep } from '../../cohort/round-to-step.ts';
import type { UciFeature } from '../source/columns.ts';
import { PUBLISHED_SPEARMAN } from './published.ts';

/** A normal score for every column: the patient's rank among comparable ones. */
export type Scores = Readonly<Record<UciFeature, number>>;

/** The columns that are known before the others are drawn. */
export type KnownScores = Readonly<Record<'age' | 'sc' | 'al', number>>;

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
export function drawScores(random: Random, known: KnownScores): Scores {
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
