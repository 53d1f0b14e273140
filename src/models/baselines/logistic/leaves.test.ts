import { describe, expect, it } from 'vitest';
import { flattenObject, isList, isObject, toNumber } from './logistic.ts';

describe('flattenObject', () => {
  it('names what stands inside an object, to any depth', () => {
    expect([...flattenObject({ a: { b: { c: 1 }, d: null }, e: 'x', f: {} })]).toEqual([
      ['a > b > c', 1],
      ['a > d', null],
      ['e', 'x'],
    ]);
  });
});

it('tells the kinds of values apart', () => {
  expect([{}, [], null, 'x', undefined].map(isObject)).toEqual([true, false, false, false, false]);
  expect([{}, [], null, 'x', undefined].map(isList)).toEqual([false, true, false, false, false]);
  expect([0, -1.5, Number.NaN, Number.POSITIVE_INFINITY, '3', true, null, undefined].map(toNumber)).toEqual([
    0,
    -1.5,
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
});
