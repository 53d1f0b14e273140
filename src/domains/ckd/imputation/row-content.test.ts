import { expect, it } from 'vitest';
import { uciColumn } from '../source/columns.ts';
import { featureColumns, randomOfContent, rowContent, sortedByContent } from './feature-row.ts';

const columns = featureColumns([uciColumn('age'), uciColumn('htn')]);

it('reads the given columns in their order and nothing else', () => {
  const row = { id: '7', class: 'ckd', values: { htn: 'no', age: 48, pot: 4 } };
  expect(rowContent(row, columns)).toBe('[48,"no"]');
  expect(rowContent({ values: {} }, columns)).toBe(rowContent({ values: { age: null, htn: null } }, columns));
});

it('sorts any order into one', () => {
  const rows = [{ values: { age: 60 } }, { values: { age: 50, htn: 'yes' } }, { values: {} }];
  expect(sortedByContent(rows.toReversed(), columns)).toEqual(sortedByContent(rows, columns));
});

it('gives each content and each seed numbers of its own', () => {
  const first = (content: string, seed: number) =>
    randomOfContent(content, seed, 'ckdImputation').integer(2 ** 20);
  expect(first('[48]', 1)).toBe(first('[48]', 1));
  expect(new Set([first('[48]', 1), first('[49]', 1), first('[48]', 2)]).size).toBe(3);
});
