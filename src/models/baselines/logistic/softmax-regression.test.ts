import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../statistics/random.ts';
import { fitSoftmax } from './softmax-regression.ts';

const repeat = <T>(times: number, value: T): T[] => Array.from({ length: times }, () => value);

/** 40 rows with x = 0, of which 10 are class 1; 60 with x = 1, of which 45 are. */
const oneFlag = {
  rows: [...repeat(40, [0]), ...repeat(60, [1])],
  classes: [...repeat(30, 0), ...repeat(10, 1), ...repeat(15, 0), ...repeat(45, 1)],
};

describe('fitSoftmax', () => {
  it('gives the class shares where there are no features', () => {
    const { probabilities, converged } = fitSoftmax(repeat(10, []), [0, 0, 0, 0, 0, 1, 1, 1, 2, 2], 3);
    expect(converged).toBe(true);
    probabilities([]).forEach((p, k) => {
      expect(p).toBeCloseTo([0.5, 0.3, 0.2][k]!, 7);
    });
  });

  it('comes to the shares within each group as the penalty goes to 0', () => {
    const distance = (penalty: number) => {
      const { probabilities } = fitSoftmax(oneFlag.rows, oneFlag.classes, 2, penalty);
      return Math.abs(probabilities([0])[1]! - 0.25) + Math.abs(probabilities([1])[1]! - 0.75);
    };
    const distances = [10, 1, 0.1, 1e-3].map(distance);
    expect(distances).toEqual(distances.toSorted((a, b) => b - a));
    expect(distance(1e-6)).toBeLessThan(1e-6);
    expect(distance(0)).toBeLessThan(1e-6);
  });

  it('shrinks to the class shares as the penalty grows: the intercept is free', () => {
    const { probabilities } = fitSoftmax(oneFlag.rows, oneFlag.classes, 2, 1e9);
    expect(probabilities([1])[1]).toBeCloseTo(0.55, 6);
    expect(probabilities([0])[1]).toBeCloseTo(0.55, 6);
  });

  it('meets the conditions of the penalised optimum on a hand-checkable case', () => {
    const { probabilities } = fitSoftmax(oneFlag.rows, oneFlag.classes, 2, 5);
    const [low, high] = [probabilities([0])[1]!, probabilities([1])[1]!];
    // Intercept: as many of class 1 are expected as there are.
    expect(40 * low + 60 * high).toBeCloseTo(55, 5);
    // Weight w of class 1 (that of class 0 is -w): sum of x * (y - p) = penalty * w, and the log-odds differ by 2 w.
    const w = (Math.log(high / (1 - high)) - Math.log(low / (1 - low))) / 2;
    expect(45 - 60 * high).toBeCloseTo(5 * w, 5);
  });

  it('meets them with three classes and columns that say the same', () => {
    const random = createRandom(7);
    const rows = Array.from({ length: 200 }, () => {
      const [a, b] = [random.float() * 4 - 2, random.float() * 4 - 2];
      return [a, b, a - b, random.integer(2)];
    });
    const classes = rows.map(([a, b]) => (a! + random.float() > 0.5 ? 0 : b! + random.float() > 0.5 ? 1 : 2));
    const { probabilities, converged, gradientNorm } = fitSoftmax(rows, classes, 3);
    expect(converged).toBe(true);
    expect(gradientNorm).toBeLessThan(1e-6);
    const fitted = rows.map(probabilities);
    const scores = (row: number[]) => {
      const logs = probabilities(row).map(Math.log);
      const mean = (logs[0]! + logs[1]! + logs[2]!) / 3;
      return logs.map((s) => s - mean);
    };
    const base = scores([0, 0, 0, 0]);
    for (const k of [0, 1, 2]) {
      const missed = (x: (row: number[]) => number) =>
        rows.reduce((sum, row, i) => sum + x(row) * ((classes[i] === k ? 1 : 0) - fitted[i]![k]!), 0);
      expect(missed(() => 1)).toBeCloseTo(0, 5);
      for (const j of [0, 1, 2, 3]) {
        const weight = scores([0, 1, 2, 3].map((i) => (i === j ? 1 : 0)))[k]! - base[k]!;
        expect(missed((row) => row[j]!)).toBeCloseTo(weight, 5);
      }
    }
  });

  it('stays finite where the classes can be told apart without fault', () => {
    const { probabilities, converged } = fitSoftmax([[-2], [-1], [1], [2]], [0, 0, 1, 1], 2);
    expect(converged).toBe(true);
    expect(probabilities([2])[1]).toBeGreaterThan(0.8);
    expect(probabilities([2])[1]).toBeLessThan(0.99);
    expect(probabilities([0])[1]).toBeCloseTo(0.5, 7);
    expect(probabilities([1e6])).toEqual([0, 1]);
  });

  it('gives numbers even where there is no optimum to reach: faultless classes without a penalty', () => {
    const { probabilities } = fitSoftmax([[-2], [-1], [1], [2]], [0, 0, 1, 1], 2, 0);
    expect(probabilities([2]).every(Number.isFinite)).toBe(true);
  });

  it('is sure where training has one class only', () => {
    expect(fitSoftmax([[1], [2]], [0, 0], 1).probabilities([5])).toEqual([1]);
  });
});
