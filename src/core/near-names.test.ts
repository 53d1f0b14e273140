import { expect, it } from 'vitest';
import { didYouMean, nearNames } from './near-names.ts';

const names = ['accuracy', 'balanced_accuracy', 'selective_accuracy', 'answer_rate', 'augrc'];

it.each([
  ['acuracy', 'accuracy'],
  ['selective_acc', 'selective_accuracy'],
  ['augcr', 'augrc'],
  ['anwser_rate', 'answer_rate'],
])('%s is near %s', (typed, nearest) => {
  expect(nearNames(typed, names)[0]).toBe(nearest);
});

it('knows when nothing is near', () => {
  expect(nearNames('temperature', names)).toEqual([]);
});

it('suggests no name that shares no letter', () => {
  expect(nearNames('zz', ['id', 'accuracy'])).toEqual([]);
});

it('ends a message with near names, or with those there are', () => {
  expect(didYouMean('acuracy', ['accuracy', 'augrc'])).toBe('did you mean accuracy?');
  expect(didYouMean('zzz', ['a', 'b', 'c'], 2)).toBe('available: a, b, and 1 more');
  expect(didYouMean('zzz', [])).toBe('there are none');
});
