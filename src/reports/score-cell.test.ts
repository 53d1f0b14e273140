import { expect, it } from 'vitest';
import { scoreCell } from './score-cell.ts';

it.each([
  [{ value: 0, interval: { lower: 0, upper: 0.0038 } }, '0.000 (0.00-0.01)'],
  [{ value: 1, interval: { lower: 0.9962, upper: 1 } }, '1.000 (0.99-1.00)'],
  [{ value: 0.25, interval: { lower: 0.22, upper: 0.28 } }, '0.250 (0.22-0.28)'],
  [{ value: -0.1, interval: { lower: -0.123, upper: -0.071 } }, '-0.100 (-0.13--0.07)'],
  [{ value: 0.5, interval: null }, '0.500'],
  [{ value: null, interval: null }, '-'],
  [undefined, '-'],
])('%j is %s', (score, text) => {
  expect(scoreCell(score)).toBe(text);
});
