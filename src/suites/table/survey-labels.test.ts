import { expect, it } from 'vitest';
import { missingMarkers } from './cell.ts';
import { labelList, labelReader, labelSurvey } from './survey-labels.ts';

const isMissing = missingMarkers(['NA']);
function read(cells: string[], given?: (string | number)[]) {
  const survey = labelSurvey(isMissing, given);
  for (const cell of cells) survey.add(cell);
  const labels = survey.labels();
  const values = cells.map(labelReader(labels, isMissing));
  return { labels, values, problem: survey.problem('stage') };
}

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
  expect(read(['a', 'c', 'NA'], ['a', 'b']).values).toEqual(['a', undefined, null]);
  expect(labelList(['a', 2])).toBe('"a", 2');
});

it('refuses fewer than two labels, and what looks like no label at all', () => {
  expect(read(['a', 'a']).problem!.found).toBe('only the label "a"');
  expect(read(['NA']).problem!.found).toBe('no label');
  const many = Array.from({ length: 51 }, (_, i) => `${i}.5`);
  expect(read(many).problem!.found).toBe('51 different values');
  expect(read(many, many).problem).toBeNull();
  const endless = Array.from({ length: 20_000 }, (_, i) => `${i}.5`);
  expect(read(endless).problem!.found).toBe('10000 or more different values');
});

it('keeps a number per row for the split, equal for equal labels', () => {
  const survey = labelSurvey(isMissing, undefined, true);
  for (const cell of ['b', 'A', 'B', 'a', 'NA']) survey.add(cell);
  expect([...survey.strata()]).toEqual([0, 1, 0, 1, -1]);
});
