import { describe, expect, it } from 'vitest';
import { collect, scoresOf, sparseRows } from './sparse-rows.ts';

const rows = [
  [0, 2, -1],
  [3, 0, 0],
];

describe('sparseRows', () => {
  it('puts a one first and leaves out every 0', () => {
    const { n, width, column, value } = sparseRows(rows);
    expect([n, width]).toEqual([2, 4]);
    expect([...column]).toEqual([0, 2, 3, 0, 1]);
    expect([...value]).toEqual([1, 2, -1, 1, 3]);
  });

  it('keeps rows without columns', () => {
    const { n, width, value } = sparseRows([[], []]);
    expect([n, width, [...value]]).toEqual([2, 1, [1, 1]]);
  });
});

it('scoresOf and collect are the products with the table and with its transpose', () => {
  const coefficients = Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8);
  const scores = scoresOf(sparseRows(rows), coefficients, 2);
  expect([...scores]).toEqual([1 + 10 - 7, 2 + 12 - 8, 1 + 9, 2 + 12]);
  const amounts = Float64Array.of(1, -1, 2, 0.5);
  expect([...collect(sparseRows(rows), amounts, 2)]).toEqual([3, -0.5, 6, 1.5, 2, -2, -1, 1]);
});
