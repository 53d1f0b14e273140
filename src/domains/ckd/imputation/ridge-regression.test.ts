import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../statistics/random.ts';
import { fitRidge } from './imputer.ts';

const random = createRandom(5);
const rows = Array.from({ length: 200 }, () => [random.float(), 100 * random.float(), random.float()]);

describe('fitRidge', () => {
  it('finds a plane', () => {
    const outcomes = rows.map(([a, b]) => 3 + 2 * a! - 0.5 * b!);
    const model = fitRidge(rows, outcomes, 1e-10);
    expect(model([0, 0, 0])).toBeCloseTo(3, 6);
    expect(model([1, 10, 7])).toBeCloseTo(0, 6);
  });

  it('shrinks by penalty over 1 + penalty where there is one predictor', () => {
    const model = fitRidge([[-1], [1]], [-1, 1], 0.25);
    expect(model([1])).toBeCloseTo(1 / 1.25, 12);
  });

  it('shrinks alike whatever the unit', () => {
    const outcomes = rows.map(([a, b]) => a! + b!);
    const inGrams = fitRidge(rows, outcomes)([0.5, 50, 0.5]);
    const inMilligrams = fitRidge(
      rows.map(([a, b, c]) => [1000 * a!, b!, c!]),
      outcomes,
    )([500, 50, 0.5]);
    expect(inMilligrams).toBeCloseTo(inGrams, 9);
  });

  it('copes with copies, constants, and more predictors than rows', () => {
    const doubled = rows.map(([a]) => [a!, a!, 4]);
    expect(
      fitRidge(
        doubled,
        rows.map(([a]) => a!),
      )([0.5, 0.5, 9]),
    ).toBeCloseTo(0.5, 1);
    expect(fitRidge([[1, 2, 3, 4]], [7])([5, 5, 5, 5])).toBe(7);
    expect(fitRidge([[], []], [1, 2])([])).toBe(1.5);
  });
});
