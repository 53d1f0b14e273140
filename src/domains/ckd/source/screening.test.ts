import { expect, it } from 'vitest';
import { implausibleCells } from './row.ts';

it.each([
  [{ bgr: null, bu: 180, sc: 76, sod: 4.5 }, ['bu', 'sc', 'sod']],
  [{ pot: 39 }, ['pot']],
  [{ pot: 47 }, ['pot']],
  [{ sc: 48.1, bu: 26 }, ['sc']],
  [{ sc: 24, bu: 54 }, ['sc']],
  [{ bgr: 22, bu: 1.5, sc: 7.3 }, ['bgr', 'bu', 'sc']],
  [{ rbcc: 8, hemo: 12 }, ['rbcc']],
])('%j loses %j', (values, columns) => {
  expect(implausibleCells(values).map(({ column }) => column)).toEqual(columns);
});

it('leaves alone what is extreme but coherent', () => {
  expect(implausibleCells({ sc: 32, bu: 391, pot: 4 })).toEqual([]);
  expect(implausibleCells({ sc: 24, bu: 240 })).toEqual([]);
  expect(implausibleCells({ bu: 180, sc: 7.6, sod: 135 })).toEqual([]);
  expect(implausibleCells({})).toEqual([]);
});
