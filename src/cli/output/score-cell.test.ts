import { expect, it } from 'vitest';
import { between } from '../../reports/charts/number-text.ts';
import { scoreCell } from './models-table.ts';

it.each([
  [{ value: 0, interval: { lower: 0, upper: 0.0038 } }, '0.000 (.000-.004)'],
  [{ value: 1, interval: { lower: 0.9962, upper: 1 } }, '1.000 (.996-1.000)'],
  [{ value: -0.1, interval: { lower: -0.123, upper: -0.071 } }, '-0.100 (-0.123 to -0.071)'],
  [{ value: 0.5, interval: null }, '0.500'],
  [{ value: null, interval: null }, '-'],
  [undefined, '-'],
])('%j is %s', (score, text) => {
  expect(scoreCell(score)).toBe(text);
});

it('shows harms as counts, with what failed rows could have changed', () => {
  const missed = { family: 'safety' as const, nSuccesses: 2, nEvaluated: 48, value: 2 / 48 };
  const interval = { lower: 0.0115, upper: 0.1402 };
  expect(scoreCell({ ...missed, interval, bounds: { lower: 0.04, upper: 0.1 } })).toBe(
    '2/48 (.011-.140) [.040-.100]',
  );
  expect(scoreCell({ ...missed, value: null, interval: null, bounds: { lower: 0, upper: 1 } })).toBe(
    '- [.000-1.000]',
  );
});

it('never contradicts the interval that reports print', () => {
  const interval = { lower: 0.8786, upper: 0.9219 };
  expect(between(interval)).toBe('0.879 to 0.922');
  expect(scoreCell({ value: 0.903, interval })).toBe('0.903 (.879-.922)');
});
