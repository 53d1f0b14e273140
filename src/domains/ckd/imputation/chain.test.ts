import { expect, it } from 'vitest';
import { createRandom } from '../../../statistics/random.ts';
import { uciColumn } from '../source/columns.ts';
import { featureColumns } from './feature-row.ts';
import { advance, type Filling, fitLink, type Measured } from './imputer.ts';

const columns = featureColumns([uciColumn('hemo'), uciColumn('pcv'), uciColumn('ane')]);
const row = (values: Measured[], ...gaps: number[]): Filling => ({
  values,
  gaps: values.map((_, j) => gaps.includes(j)),
  random: createRandom(1),
});
const training = [
  row([8, 24, 'yes']),
  row([10, 30, 'yes']),
  row([12, 36, 'no']),
  row([14, 42, 'no']),
  row([10, 54, 'no'], 1),
];

it('learns from measured cells alone', () => {
  const { model } = fitLink(1, training, columns);
  const full = fitLink(1, training.slice(0, 4), columns);
  expect(model([9, 0])).toBe(full.model([9, 0]));
});

it('fills a gap with a measured value, and nothing but a gap', () => {
  const link = fitLink(1, training, columns);
  const gap = row([14, 24, 'no'], 1);
  advance(gap, link, columns, 1);
  expect(gap.values).toEqual([14, 42, 'no']);
  const measured = row([14, 24, 'no'], 0, 2);
  advance(measured, link, columns, 1);
  expect(measured.values).toEqual([14, 24, 'no']);
});

it('fills words with words', () => {
  const gap = row([8, 24, 'no'], 2);
  advance(gap, fitLink(2, training, columns), columns, 1);
  expect(gap.values[2]).toBe('yes');
});
