import { expect, test } from 'vitest';
import { criticalValue } from './special-functions.ts';

test('known values', () => {
  expect(criticalValue(0.95)).toBeCloseTo(1.959963984540054, 14);
  expect(criticalValue(0.99)).toBeCloseTo(2.5758293035489, 12);
});

test.each([0, 1, 95, -0.5, Number.NaN])('level %d throws and says what was expected', (level) => {
  expect(() => criticalValue(level)).toThrow('such as 0.95');
  expect(() => criticalValue(level)).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
});
