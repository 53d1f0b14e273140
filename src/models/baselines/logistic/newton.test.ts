import { describe, expect, it } from 'vitest';
import { GRADIENT_TOLERANCE, type LocalView, minimise } from './softmax-regression.ts';

/** (x^2 + 100 y^2) / 2 + exp(x + y): convex, badly scaled, not quadratic. */
function valley(point: Float64Array): LocalView {
  const [x, y] = point as unknown as [number, number];
  const e = Math.exp(x + y);
  return {
    value: (x * x + 100 * y * y) / 2 + e,
    gradient: Float64Array.of(x + e, 100 * y + e),
    hessianTimes: (vector) => {
      const [v, w] = vector as unknown as [number, number];
      return Float64Array.of(v + e * (v + w), 100 * w + e * (v + w));
    },
  };
}

describe('minimise', () => {
  it('finds the point where the gradient is 0, from near and from far', () => {
    for (const start of [0, 5, -200]) {
      const { point, converged, gradientNorm } = minimise(valley, Float64Array.of(start, start / 10));
      expect(converged).toBe(true);
      expect(gradientNorm).toBeLessThan(GRADIENT_TOLERANCE);
      // x = 100 y = -exp(x + y), so that x = -W(1.01) / 1.01 with Lambert's W.
      expect(point[0]! + Math.exp(1.01 * point[0]!)).toBeCloseTo(0, 7);
      expect(point[1]!).toBeCloseTo(point[0]! / 100, 7);
    }
  });

  it('says so when it did not get there', () => {
    const { converged, gradientNorm } = minimise(valley, Float64Array.of(5, 5), 1);
    expect(converged).toBe(false);
    expect(gradientNorm).toBeGreaterThan(GRADIENT_TOLERANCE);
  });

  it('stops where a function has no minimum, without a claim', () => {
    const falling = (point: Float64Array): LocalView => ({
      value: -point[0]!,
      gradient: Float64Array.of(-1),
      hessianTimes: () => Float64Array.of(0),
    });
    expect(minimise(falling, Float64Array.of(0)).converged).toBe(false);
  });
});
