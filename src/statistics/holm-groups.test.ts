import { expect, test } from 'vitest';
import { holmGroups } from './holm.ts';

const variable = (name: string, ...p: readonly (number | null)[]) => ({
  name,
  groups: p.map((own, g) => ({ group: `g${g}`, p: own })),
});
const adjusted = (...variables: Parameters<typeof holmGroups>[0]) => {
  const found = holmGroups(variables);
  return [found.nTests, ...found.adjusted.map(({ groups }) => groups.map(({ p }) => p))];
};

test('two groups are one test, which both show', () => {
  expect(adjusted(variable('sex', 0.03, 0.03))).toEqual([1, [0.03, 0.03]]);
  expect(adjusted(variable('sex', 0.02, 0.02), variable('age', 0.01, 0.5, 0.25))).toEqual([
    4,
    [0.06, 0.06],
    [0.04, 0.5, 0.5],
  ]);
});

test('a null p is no test, and of two groups leaves neither tested; one group has none', () => {
  expect(adjusted(variable('sex', 0.03, null))).toEqual([0, [null, null]]);
  expect(adjusted(variable('sex', null, 0.03), variable('age', 0.01, null, 0.2))).toEqual([
    2,
    [null, null],
    [0.02, null, 0.2],
  ]);
  expect(adjusted(variable('sex', 0.03))).toEqual([0, [null]]);
  expect(adjusted()).toEqual([0]);
});
