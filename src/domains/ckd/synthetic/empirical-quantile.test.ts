import fc from 'fast-check';
import { expect, it } from 'vitest';
import { uciColumn } from '../source/columns.ts';
import { empiricalQuantile } from './learned-rows.ts';

it('interpolates, rounds and stays within what was observed', () => {
  const creatinine = empiricalQuantile([0.55, 0.9, 1.3], uciColumn('sc'));
  expect([0, 0.25, 0.5, 0.9, 1].map(creatinine)).toEqual([0.6, 0.7, 0.9, 1.2, 1.3]);
  // 1.5 would be rounded to 2, beyond the largest
  expect(empiricalQuantile([1.2, 1.5], uciColumn('bu'))(1)).toBe(1.5);
});

it('knows only what was observed of steps and words', () => {
  const albumin = empiricalQuantile([0, 0, 4, 2], uciColumn('al'));
  expect([0, 0.49, 0.5, 0.74, 0.75, 1].map(albumin)).toEqual([0, 0, 2, 2, 4, 4]);
  const appetite = empiricalQuantile(['poor', 'good', 'good', 'good'], uciColumn('appet'));
  expect([0, 0.74, 0.76, 1].map(appetite)).toEqual(['good', 'good', 'poor', 'poor']);
});

it('never falls as u grows', () => {
  const values = fc.array(fc.integer({ min: 20, max: 300 }), { minLength: 1 });
  const u = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(values, u, u, (observed, a, b) => {
      const quantile = empiricalQuantile(observed, uciColumn('bp'));
      expect(Number(quantile(Math.min(a, b)))).toBeLessThanOrEqual(Number(quantile(Math.max(a, b))));
    }),
  );
});
