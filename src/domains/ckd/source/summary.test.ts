import { expect, it } from 'vitest';
import type { Slot } from './header.ts';
import { summarise } from './inspect-text.ts';
import { readRow } from './row.ts';

it('counts cells as the file has them', () => {
  const slots: Slot[] = ['age', 'pot', 'sex', 'class', null];
  const read = [
    ['50', '39', '', 'ckd', 'x'],
    ['?', '\t4.1', 'f', 'notckd ', 'x'],
  ].map((fields, i) => ({ fields, row: readRow(fields, slots, i + 2) }));
  expect(summarise({ format: 'csv', slots, rowCount: 3, read })).toEqual({
    format: 'csv',
    rows: 3,
    classCounts: { ckd: 1, notckd: 1 },
    columns: ['age', 'pot', 'sex', 'class'],
    cells: 4,
    missingCells: 1,
    screenedCells: 1,
    trimmedCells: 2,
    idsAssigned: true,
  });
});
