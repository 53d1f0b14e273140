import { expect, it } from 'vitest';
import { meanBounds } from './aggregate-trait.ts';

it('takes in a question without a value only where that moves the mean outwards', () => {
  const certain = { value: 0.5, bounds: null };
  expect(meanBounds([certain, { value: null, bounds: { lower: 0, upper: 0.25 } }])).toEqual({
    lower: 0.25,
    upper: 0.5,
  });
  expect(meanBounds([certain, { value: null, bounds: { lower: 0.75, upper: 1 } }])).toEqual({
    lower: 0.5,
    upper: 0.75,
  });
});

it('has nothing to say where every item was scored', () => {
  expect(
    meanBounds([
      { value: 0.5, bounds: null },
      { value: null, bounds: null },
    ]),
  ).toBeNull();
  expect(meanBounds([])).toBeNull();
});

it('takes the one question there may be', () => {
  expect(meanBounds([{ value: null, bounds: { lower: 0, upper: 1 } }])).toEqual({ lower: 0, upper: 1 });
});
