import { expect, it } from 'vitest';
import { createRandom } from '../../statistics/random.ts';
import { shuffledStrata } from './stratified.ts';

it('puts each position into its stratum once, strata by first appearance', () => {
  const items = ['b', 'a', 'b', 'c', 'a', 'b'];
  const strata = shuffledStrata(items, (item) => item, createRandom(1));
  expect(strata.map((positions) => positions.toSorted())).toEqual([[0, 2, 5], [1, 4], [3]]);
});

it('keeps apart what is written alike but of another kind', () => {
  expect(shuffledStrata([1, '1'], (item) => item, createRandom(1))).toEqual([[0], [1]]);
});
