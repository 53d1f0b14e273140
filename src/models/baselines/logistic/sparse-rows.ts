/**
 * Rows of a table with a column of ones before the others, of which only what is not 0 is kept: most columns are 0/1
 * indicators, and 0 adds nothing to a sum. Row i is `value[e]` in column `column[e]` for e from `start[i]` up to `start[i + 1]`.
 */
export interface SparseRows {
  readonly n: number;
  readonly width: number;
  readonly start: Int32Array;
  readonly column: Int32Array;
  readonly value: Float64Array;
}

/**
 * Packs rows; all have the same length.
 *
 * @example
 * ```ts
 * const { start, column, value } = sparseRows([[0, 7], [0, 0]]);
 * [[...start], [...column], [...value]] // => [[0, 2, 3], [0, 2, 0], [1, 7, 1]]
 * ```
 */
export function sparseRows(rows: readonly (readonly number[])[]): SparseRows {
  const start = [0];
  const column: number[] = [];
  const value: number[] = [];
  for (const row of rows) {
    [1, ...row].forEach((x, j) => {
      if (x === 0) return;
      column.push(j);
      value.push(x);
    });
    start.push(value.length);
  }
  return {
    n: rows.length,
    width: 1 + (rows[0]?.length ?? 0),
    start: Int32Array.from(start),
    column: Int32Array.from(column),
    value: Float64Array.from(value),
  };
}

/**
 * Rows times coefficients: for every row and class k, the sum over columns j of x_j * coefficients[j * nClasses + k].
 *
 * @example
 * ```ts
 * [...scoresOf(sparseRows([[2]]), Float64Array.of(10, 20, 1, 2), 2)] // => [12, 24]
 * ```
 */
export function scoresOf(rows: SparseRows, coefficients: Float64Array, nClasses: number): Float64Array {
  const { n, start, column, value } = rows;
  const scores = new Float64Array(n * nClasses);
  for (let row = 0; row < n; row++) {
    for (let e = start[row]!; e < start[row + 1]!; e++) {
      const x = value[e]!;
      const from = column[e]! * nClasses;
      for (let k = 0; k < nClasses; k++) scores[row * nClasses + k]! += x * coefficients[from + k]!;
    }
  }
  return scores;
}

/**
 * The other way round: for every column j and class k, the sum over rows of x_j * amounts[row * nClasses + k].
 *
 * @example
 * ```ts
 * [...collect(sparseRows([[2], [3]]), Float64Array.of(1, 0, 0, 1), 2)] // => [1, 1, 2, 3]
 * ```
 */
export function collect(rows: SparseRows, amounts: Float64Array, nClasses: number): Float64Array {
  const { n, width, start, column, value } = rows;
  const sums = new Float64Array(width * nClasses);
  for (let row = 0; row < n; row++) {
    for (let e = start[row]!; e < start[row + 1]!; e++) {
      const x = value[e]!;
      const to = column[e]! * nClasses;
      for (let k = 0; k < nClasses; k++) sums[to + k]! += x * amounts[row * nClasses + k]!;
    }
  }
  return sums;
}
