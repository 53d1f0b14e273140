import { expect, it } from 'vitest';
import { readRow } from './row.ts';

it('reads each field as its column says', () => {
  expect(readRow([' 7 ', '48', '?', 'Ckd\t', 'm'], ['id', 'age', 'sc', 'class', 'sex'], 3)).toEqual({
    id: '7',
    values: { age: 48, sc: null, sex: 'male' },
    class: 'ckd',
    screened: [],
    problems: [],
  });
});

it('screens what is known before it refuses what is impossible', () => {
  const known = readRow(['39', '160'], ['pot', 'sod'], 3);
  expect(known.values).toEqual({ pot: null, sod: 160 });
  expect(known.screened).toMatchObject([{ line: 3, column: 'pot', value: 39 }]);
  expect(known.problems).toEqual([]);
  expect(readRow(['38'], ['pot'], 3).problems).toEqual([
    {
      line: 3,
      column: 'pot',
      value: '38',
      expected: 'a number from 1 to 15 (mEq/L), or ? or nothing for missing',
    },
  ]);
});

it('wants an id and a class in every row', () => {
  expect(readRow(['?', ''], ['id', 'class'], 3).problems).toEqual([
    { line: 3, column: 'id', value: '?', expected: 'an id in every row' },
    { line: 3, column: 'class', value: null, expected: 'one of ckd, notckd' },
  ]);
});
