import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../statistics/random.ts';
import { correlationFactor } from './learned-rows.ts';

const random = createRandom(3);
const noise = (n: number) => Array.from({ length: n }, () => random.float());

/** L L' */
function product(factor: number[][]): number[][] {
  return factor.map((a) => factor.map((b) => a.reduce((sum, x, k) => sum + x * b[k]!, 0)));
}

describe('correlationFactor', () => {
  it('gives back the correlation, shrunk by 5 %', () => {
    const x = noise(30);
    const matrix = product(correlationFactor([x, x.map((value) => 5 - 2 * value)]));
    expect(matrix[0]![1]).toBeCloseTo(-0.95, 12);
    expect(matrix[0]![0]).toBeCloseTo(1, 12);
    expect(matrix[1]![1]).toBeCloseTo(1, 12);
  });

  it('shrinks further where pairs contradict each other', () => {
    // In separate thirds of the rows: a = b, b = c, and a = -c.
    const [x, y, z] = [noise(20), noise(20), noise(20)];
    const gap = new Array<null>(20).fill(null);
    const matrix = product(
      correlationFactor([
        [...x, ...gap, ...z],
        [...x, ...y, ...gap],
        [...gap, ...y, ...z.map((value) => -value)],
      ]),
    );
    // (1 - s) times the correlation of -1 in each pair is possible up to 1/2.
    expect(Math.abs(matrix[0]![1]!)).toBeLessThan(0.5 + 1e-9);
    expect(Math.abs(matrix[0]![1]!)).toBeGreaterThan(0.4);
    expect(matrix[0]![2]).toBeCloseTo(-matrix[0]![1]!, 9);
  });

  it('takes few pairs and constants for unrelated', () => {
    const x = noise(9);
    expect(correlationFactor([x, x])[1]).toEqual([0, 1]);
    expect(correlationFactor([noise(20), new Array<number>(20).fill(0.3)])[1]).toEqual([0, 1]);
  });
});
