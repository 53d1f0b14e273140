import { expect, it } from 'vitest';
import { eachPair, eitherOf, elementwise, numberOrNull, numbers, oneOf } from './case-inputs.ts';

it('repeats single values beside a list, and refuses lists of different lengths', () => {
  const pair = (one: Record<string, unknown>) => [one.a, one.b];
  expect(elementwise({ a: [1, 2], b: 3 }, ['a', 'b'], pair)).toEqual([
    [1, 3],
    [2, 3],
  ]);
  expect(elementwise({ a: [] }, ['a'], pair)).toEqual([]);
  expect(() => elementwise({ a: [1, 2], b: [1] }, ['a', 'b'], pair)).toThrow('a has 2, b has 1');
});

it('keeps missing apart from wrong', () => {
  expect(numberOrNull({ a: null }, 'a')).toBeNull();
  expect(() => numberOrNull({ a: '5' }, 'a')).toThrow('a is "5"; expected a number or null');
  expect(numbers({}, 'a')).toEqual([]);
  expect(numbers({ a: [1, null] }, 'a')).toEqual([1]);
});

it('reads codes in any letter case', () => {
  expect(oneOf({ g: ' g3b ' }, 'g', ['G3a', 'G3b'])).toBe('G3b');
  expect(oneOf({}, 'g', ['G3a'])).toBeNull();
  expect(() => oneOf({ g: 'G6' }, 'g', ['G3a', 'G3b'])).toThrow('expected one of G3a, G3b');
});

it('takes one unit, not two', () => {
  expect(eitherOf({ a: 1 }, 'a', 'b')).toEqual([1, null]);
  expect(eitherOf({}, 'a', 'b')).toEqual([null, null]);
  expect(() => eitherOf({ a: 1, b: 2 }, 'a', 'b')).toThrow('both a and b are given');
});

it('takes a pair or a list of pairs', () => {
  const sum = (a: number, b: number) => a + b;
  expect(eachPair({ bp: [1, 2] }, 'bp', sum)).toBe(3);
  expect(eachPair({ bp: [[1, 2], null, [1, null]] }, 'bp', sum)).toEqual([3, null, null]);
  expect(eachPair({ bp: [] }, 'bp', sum)).toEqual([]);
  expect(eachPair({}, 'bp', sum)).toBeNull();
  expect(() => eachPair({ bp: [1, 2, 3] }, 'bp', sum)).toThrow('expected a pair of numbers');
});
