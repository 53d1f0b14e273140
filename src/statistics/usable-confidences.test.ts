import { expect, it } from 'vitest';
import { pairedAurocDifference, pairedBrierDifference } from './methods/confidence.ts';
import { isotonicFit, plattFit } from './methods/recalibration.ts';

it('leaves rows without a probability out of every fit and every difference', () => {
  const correct = [1, 0, 1, 0, 1, 1];
  const a = [0.9, 0.4, null, 0.3, 0.8, 1.2];
  const b = [0.7, 0.6, 0.9, Number.NaN, 0.5, 0.5];
  expect(isotonicFit(a, correct)).toEqual(isotonicFit([0.9, 0.4, 0.3, 0.8], [1, 0, 0, 1]));
  expect(plattFit(a, correct)).toEqual(plattFit([0.9, 0.4, 0.3, 0.8], [1, 0, 0, 1]));
  const both = [
    [1, 0, 1],
    [0.9, 0.4, 0.8],
    [0.7, 0.6, 0.5],
  ] as const;
  expect(pairedBrierDifference(correct, a, b)).toEqual(pairedBrierDifference(...both));
  expect(pairedAurocDifference(correct, a, b)).toEqual(pairedAurocDifference(...both));
  expect(isotonicFit([null], [1])).toBeNull();
});
