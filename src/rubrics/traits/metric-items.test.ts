import { expect, it } from 'vitest';
import { listItems, MetricRubricTrait } from './metric-trait.ts';

const trait = (more = {}) =>
  new MetricRubricTrait({
    name: 't',
    metrics: ['f1'],
    tpInstructions: ['a', 'b'],
    tnInstructions: ['c'],
    ...more,
  });

it('gives required items and, in full_matrix, forbidden ones', () => {
  expect(listItems(trait()).map(({ instruction, kind }) => [instruction, kind])).toEqual([
    ['a', 'required'],
    ['b', 'required'],
  ]);
  expect(
    listItems(trait({ evaluationMode: 'full_matrix' })).map(({ instruction, kind }) => [instruction, kind]),
  ).toEqual([
    ['a', 'required'],
    ['b', 'required'],
    ['c', 'forbidden'],
  ]);
});

it('gives an id that rests on the trait, the list and the line alone', () => {
  const [a] = listItems(trait());
  // Stored verdicts are found by these: another id would orphan them.
  expect(a!.id).toBe('1a38ff0856');
  expect(listItems(trait({ tpInstructions: ['z', ' a '], metrics: ['recall'] }))[1]!.id).toBe(a!.id);
  expect(listItems(trait({ name: 'u' }))[0]!.id).not.toBe(a!.id);
  const swapped = trait({ evaluationMode: 'full_matrix', tpInstructions: ['c'], tnInstructions: ['a'] });
  expect(listItems(swapped).map(({ id }) => id)).not.toContain(a!.id);
});
