import { expect, it } from 'vitest';
import { missingMarkers } from './cell.ts';
import { readColumn } from './read-columns.ts';

const column = { name: 'sodium', index: 0 };
const rows = (...cells: string[]) => cells.map((cell, i) => ({ line: i + 2, cells: [cell] }));
const read = (cells: string[], type?: 'number' | 'text') =>
  readColumn(rows(...cells), column, missingMarkers(['NA']), type);

it('is numeric when every measured cell is a number', () => {
  expect(read(['140', 'NA', '', '133.5']).values).toEqual([140, null, null, 133.5]);
  expect(read(['140', 'high']).values).toEqual(['140', 'high']);
  expect(read(['007', '12']).values).toEqual(['007', '12']);
  expect(read(['NA', '']).values).toEqual([null, null]);
});

it('does as declared', () => {
  expect(read(['1', '2'], 'text').values).toEqual(['1', '2']);
  expect(read(['007', 'NA'], 'number').values).toEqual([7, null]);
});

it('refuses text in a column declared number', () => {
  const { problems } = read(['140', 'high', 'NA', '13,5'], 'number');
  expect(problems.map(({ line, column, value }) => [line, column, value])).toEqual([
    [3, 'sodium', 'high'],
    [5, 'sodium', '13,5'],
  ]);
});

it('notes the lines that made text of a column of numbers', () => {
  expect(read(['140', 'n/d', '139']).strays).toEqual([3]);
  expect(read(['140', 'n/d', '139'], 'text').strays).toEqual([]);
  expect(read(['yes', 'no', '1']).strays).toEqual([]);
});
