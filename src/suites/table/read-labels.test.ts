import { expect, it } from 'vitest';
import { missingMarkers } from './cell.ts';
import { readLabels } from './read-columns.ts';

const rows = (cells: string[]) => cells.map((cell, i) => ({ line: i + 2, cells: [cell] }));
const read = (cells: string[], given?: (string | number)[]) =>
  readLabels(rows(cells), { name: 'stage', index: 0 }, missingMarkers(['NA']), given);

it('finds the label space in order of first appearance', () => {
  expect(read(['b', 'A', 'B', 'a', 'NA']).labels).toEqual(['b', 'A']);
  expect(read(['b', 'A', 'B', 'a', 'NA']).values).toEqual(['b', 'A', 'b', 'A', null]);
});

it('has whole numbers where all are written so', () => {
  expect(read(['3', '1', '2']).labels).toEqual([3, 1, 2]);
  expect(read(['3.0', '1.0', '']).values).toEqual([3, 1, null]);
  expect(read(['3', '3a']).labels).toEqual(['3', '3a']);
});

it('spells labels as they are given', () => {
  expect(read(['PRESENT', 'absent'], ['present', 'Absent']).values).toEqual(['present', 'Absent']);
  expect(read(['1', '2'], [1, 2, 3]).values).toEqual([1, 2]);
});

it('takes a marker as a label when it is given as one', () => {
  expect(read(['NA', 'K', ''], ['Na', 'K']).values).toEqual(['Na', 'K', null]);
});

it('refuses labels outside the space', () => {
  expect(read(['a', 'c', 'NA'], ['a', 'b']).problems).toEqual([
    { line: 3, column: 'stage', value: 'c', expected: 'one of "a", "b"' },
  ]);
});

it('refuses fewer than two labels, and what looks like no label at all', () => {
  expect(read(['a', 'a']).problems[0]!.found).toBe('only the label "a"');
  expect(read(['NA']).problems[0]!.found).toBe('no label');
  const many = Array.from({ length: 51 }, (_, i) => `${i}.5`);
  expect(read(many).problems[0]!.found).toBe('51 different values');
  expect(read(many, many).problems).toEqual([]);
});
