import { CholeskyDecomposition, Matrix } from 'ml-matrix';

/** Two columns measured together in fewer rows than this are taken as unrelated. */
const LEAST_PAIRS = 10;
/** How much of the identity is mixed in at first, and added while the matrix is not positive definite. */
const SHRINKAGE = 0.05;

/**
 * A lower triangular L with L L' = the correlation matrix of the columns, for drawing correlated normal numbers.
 *
 * Each correlation is Pearson's over the rows that have both columns; fewer than 10 such rows, or a constant column,
 * give 0. Correlations taken from different rows need not fit together, so the matrix is shrunk toward the identity,
 * (1 - s) R + s I with s = 0.05, 0.10, ..., the first that is positive definite.
 *
 * @example
 * ```ts
 * correlationFactor([[1, 2, 3], [5, 5, 5]]) // => [[1, 0], [0, 1]]
 * ```
 */
export function correlationFactor(columns: readonly (readonly (number | null)[])[]): number[][] {
  const raw = columns.map((a, i) => columns.slice(0, i).map((b) => pearson(a, b)));
  for (let s = SHRINKAGE; s < 1; s += SHRINKAGE) {
    const matrix = Matrix.eye(columns.length);
    raw.forEach((row, i) => {
      row.forEach((r, j) => {
        matrix.set(i, j, (1 - s) * r).set(j, i, (1 - s) * r);
      });
    });
    const decomposition = new CholeskyDecomposition(matrix);
    if (decomposition.isPositiveDefinite()) return decomposition.lowerTriangularMatrix.to2DArray();
  }
  return Matrix.eye(columns.length).to2DArray();
}

function pearson(a: readonly (number | null)[], b: readonly (number | null)[]): number {
  const pairs = a.flatMap((x, i) => (x === null || (b[i] ?? null) === null ? [] : [{ x, y: b[i]! }]));
  if (pairs.length < LEAST_PAIRS) return 0;
  const meanX = pairs.reduce((sum, { x }) => sum + x, 0) / pairs.length;
  const meanY = pairs.reduce((sum, { y }) => sum + y, 0) / pairs.length;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (const { x, y } of pairs) {
    xx += (x - meanX) ** 2;
    yy += (y - meanY) ** 2;
    xy += (x - meanX) * (y - meanY);
  }
  const spread = Math.sqrt(xx * yy);
  return spread > 1e-12 ? xy / spread : 0;
}
