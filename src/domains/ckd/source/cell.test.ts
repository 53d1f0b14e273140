import { describe, expect, it } from 'vitest';
import { uciColumn } from './columns.ts';
import { isMissing, readCell } from './row.ts';

describe('readCell', () => {
  it.each([
    ['htn', '\tno', 'no'],
    ['dm', ' Yes ', 'yes'],
    ['sg', '1.02', 1.02],
    ['sg', '1.020', 1.02],
    ['al', '4.0', 4],
    ['wbcc', '\t6200', 6200],
    ['pcv', '\t?', null],
    ['pcv', '  ', null],
    ['sc', '1.2e1', 12],
    ['sex', 'F', 'female'],
    ['sex', 'Male', 'male'],
    ['sex', 'M', 'male'],
  ] as const)('%s: %j is %j', (name, cell, expected) => {
    expect(readCell(cell, uciColumn(name))).toBe(expected);
  });

  it.each([
    ['sc', 'abc'],
    ['sc', '1,2'],
    ['sc', 'NaN'],
    ['sc', 'Infinity'],
    ['sc', '1e999'],
    ['sc', '0x10'],
    ['sc', '12 mg/dL'],
    ['al', '6'],
    ['al', '2.5'],
    ['sg', '1.03'],
    ['rbc', 'yes'],
    ['sex', 'constructor'],
  ] as const)('%s: %j is refused', (name, cell) => {
    expect(readCell(cell, uciColumn(name))).toBeUndefined();
  });
});

it('takes only nothing and ? for missing', () => {
  expect(['', ' ', '\t?', '?'].every(isMissing)).toBe(true);
  expect(['0', 'NA', '-', 'no'].some(isMissing)).toBe(false);
});
