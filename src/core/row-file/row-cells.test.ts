import { expect, it } from 'vitest';
import { rowOfCells } from './row-cells.ts';
import { assignRoles } from './row-columns.ts';

const PARQUET = { decimalComma: false, isOurs: false, isGuarded: false };
const FLAGS = ['abstained', 'urgent', 'should_abstain', 'metadata.must_act'];

it.each<[string, readonly unknown[]]>([
  ['booleans', [true, false, true, false]],
  ['whole numbers', [1, 0, 1, 0]],
  ['64-bit integers', [1n, 0n, 1n, 0n]],
  ['text', ['yes', 'no', 'TRUE', '0']],
])('reads flags of a file with types from %s', (_, cells) => {
  expect(rowOfCells(assignRoles(FLAGS), cells, PARQUET)).toEqual({
    abstained: true,
    urgent: false,
    should_abstain: true,
    metadata: { must_act: false },
  });
});

it('keeps 64-bit integers of other columns as numbers, or as text where a number cannot hold them', () => {
  const roles = assignRoles(['prediction', 'id']);
  expect(rowOfCells(roles, [1n, 9_007_199_254_740_993n], PARQUET)).toMatchObject({
    prediction: 1,
    id: '9007199254740993',
  });
});

it('reads an absent flag as unknown', () => {
  expect(rowOfCells(assignRoles(['urgent', 'must_act']), [null, Number.NaN], PARQUET)).toMatchObject({
    urgent: null,
    must_act: null,
  });
});
