import { expect, it } from 'vitest';
import { nearNames } from './near-names.ts';

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
