import { argumentError } from '../../../core/index.ts';
import type { Random } from '../../../statistics/index.ts';
import type { UciFeature } from '../source/columns.ts';
import { normal } from './distributions.ts';
import { PUBLISHED_SPEARMAN } from './published.ts';
import { roundToStep } from './reported-precision.ts';

/** A normal score for every column: the patient's rank among comparable ones. */
export type Scores = Readonly<Record<UciFeature, number>>;

/** The columns that are known before the others are drawn. */
export type KnownScores = Readonly<Record<'age' | 'sc' | 'al', number>>;

const COLUMNS = Object.keys(PUBLISHED_SPEARMAN) as UciFeature[];
// The known columns come first: conditioning on them is then a forward substitution.
const KNOWN = ['age', 'sc', 'al'] as const;
const OTHERS = COLUMNS.filter((column) => !(KNOWN as readonly string[]).includes(column));
const ORDER: readonly UciFeature[] = [...KNOWN, ...OTHERS];

const FACTOR = cholesky(
  ORDER.map((a) => ORDER.map((b) => (a === b ? 1 : normalCorrelation(spearman(a, b))))),
);

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
  const scores = { ...known } as Record<UciFeature, number>;
  const e: number[] = [];
  ORDER.forEach((column, k) => {
    const row = FACTOR[k]!;
    let fromEarlier = 0;
    for (let j = 0; j < k; j++) fromEarlier += row[j]! * e[j]!;
    if (k < KNOWN.length) {
      e.push((scores[column] - fromEarlier) / row[k]!);
    } else {
      e.push(normal(random));
      scores[column] = roundToStep(fromEarlier + row[k]! * e[k]!, 1e-6);
    }
  });
  return scores;
}

/**
 * The correlation of two normals whose rank correlation is rho: 2 sin(pi rho / 6).
 *
 * @example
 * ```ts
 * normalCorrelation(0) // => 0
 * ```
 */
export function normalCorrelation(rho: number): number {
  return 2 * Math.sin((Math.PI * rho) / 6);
}

/**
 * The lower triangle L with L times its transpose equal to the matrix. Refuses one that is not positive definite.
 *
 * @example
 * ```ts
 * cholesky([[4, 2], [2, 5]]) // => [[2], [1, 2]]
 * ```
 */
export function cholesky(matrix: readonly (readonly number[])[]): number[][] {
  const factor: number[][] = [];
  for (const [i, row] of matrix.entries()) {
    const own: number[] = [];
    for (let j = 0; j <= i; j++) {
      const other = j === i ? own : factor[j]!;
      let rest = row[j]!;
      for (let k = 0; k < j; k++) rest -= own[k]! * other[k]!;
      if (j < i) own.push(rest / other[j]!);
      else if (rest > 1e-9) own.push(Math.sqrt(rest));
      else throw argumentError(`correlation matrix is not positive definite at row ${i}`, rest);
    }
    factor.push(own);
  }
  return factor;
}

function spearman(a: UciFeature, b: UciFeature): number {
  const [first, second] = [COLUMNS.indexOf(a), COLUMNS.indexOf(b)];
  return first > second ? PUBLISHED_SPEARMAN[a][second]! : PUBLISHED_SPEARMAN[b][first]!;
}
