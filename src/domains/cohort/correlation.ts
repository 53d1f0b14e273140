import { argumentError } from '../../core/index.ts';

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
