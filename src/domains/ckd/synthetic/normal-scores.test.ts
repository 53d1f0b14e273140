import fc from 'fast-check';
import { expect, it } from 'vitest';
import { normalScores } from './learned-rows.ts';

it('has the middle at 0 and is symmetric', () => {
  const scores = normalScores([30, 10, 20]);
  expect(scores[2]).toBe(0);
  expect(scores[0]).toBeCloseTo(0.9674215661017014, 12); // Phi^-1(5/6)
  expect(scores[1]).toBeCloseTo(-scores[0]!, 12);
});

it('gives ties one score between their ranks', () => {
  // ranks 1.5, 1.5, 3, 4 of 4
  expect(normalScores([0, 0, 1, 2])[0]).toBeCloseTo(-0.6744897501960817, 12);
});

it('depends on ranks alone, and null on nothing', () => {
  const values = fc.array(fc.option(fc.integer({ min: -50, max: 50 })), { maxLength: 40 });
  fc.assert(
    fc.property(values, (list) => {
      const scores = normalScores(list);
      expect(normalScores(list.map((value) => (value === null ? null : value ** 3)))).toEqual(scores);
      expect(scores.map((score) => score === null)).toEqual(list.map((value) => value === null));
      expect(scores.every((score) => score === null || Number.isFinite(score))).toBe(true);
    }),
  );
});
