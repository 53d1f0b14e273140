import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../statistics/random.ts';
import { donorPool } from './imputer.ts';

const predictions = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 40 });
const createPool = (list: readonly number[]) =>
  donorPool(list.map((predicted, value) => ({ predicted, value })));

/** Every value the pool can give: the draw is asked for each place in turn. */
function reachable(list: readonly number[], predicted: number, count: number): number[] {
  let below = 1;
  const found: number[] = [];
  for (let place = 0; place < below; place++) {
    const integer = (limit: number) => {
      below = limit;
      return place;
    };
    found.push(
      createPool(list)(predicted, count, { generator: 'xoroshiro128plus', float: () => 0, integer }),
    );
  }
  return found.toSorted((a, b) => a - b);
}

describe('donorPool', () => {
  it('draws from the nearest, and from all that are as near as the last of them', () => {
    fc.assert(
      fc.property(
        predictions,
        fc.integer({ min: -25, max: 25 }),
        fc.integer({ min: 1, max: 8 }),
        (list, at, count) => {
          const distances = list.map((predicted) => Math.abs(predicted - at));
          const farthest = distances.toSorted((a, b) => a - b)[Math.min(count, list.length) - 1]!;
          const expected = [...list.keys()].filter((i) => distances[i]! <= farthest);
          expect(reachable(list, at, count)).toEqual(expected);
        },
      ),
    );
  });

  it('draws each equally often', () => {
    const random = createRandom(1);
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 4000; i++) counts[createPool([1, 2, 3, 9])(2, 3, random)]!++;
    expect(counts[3]).toBe(0);
    for (const count of counts.slice(0, 3)) expect(Math.abs(count - 4000 / 3)).toBeLessThan(150);
  });
});
