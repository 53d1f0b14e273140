import { expect, it } from 'vitest';
import { checkDefinition } from './check-definition.ts';
import type { TableDefinition } from './definition.ts';
import { findRoles } from './roles.ts';

const find = (header: string[], definition: Partial<TableDefinition> = {}) =>
  findRoles(
    header,
    checkDefinition({ name: 'own/x', file: 'x.csv', label: 'dx', instructions: 'Answer.', ...definition }),
  );

it('shows every column without another role', () => {
  const header = ['id', 'a', 'dx', 'b', 'defer', 'why', 'site'];
  const { shown, problems } = find(header, {
    id: 'id',
    shouldAbstain: 'defer',
    shouldAbstainReasons: 'why',
    metadata: ['site'],
  });
  expect(shown.map(({ name, index }) => [name, index])).toEqual([
    ['a', 1],
    ['b', 3],
  ]);
  expect(problems).toEqual([]);
});

it('shows the listed columns in their order, under readable names', () => {
  const { shown } = find(['a', 'b', 'c', 'dx'], {
    columns: { c: { name: 'Sodium', unit: 'mmol/L' }, a: {} },
  });
  expect(shown.map(({ feature, index }) => [feature, index])).toEqual([
    ['Sodium (mmol/L)', 2],
    ['a', 0],
  ]);
});

it('names the columns there are when one is missing, or the spelling meant', () => {
  const { problems } = find(['Sodium', 'dx'], { columns: ['sodium', 'age'] });
  expect(problems.map(({ column, found, expected }) => [column, found, expected])).toEqual([
    ['sodium', 'no such column', '"Sodium", as the file spells it'],
    ['age', 'no such column', 'one of the columns "Sodium", "dx"'],
  ]);
});

it('never shows a column named should_abstain by default', () => {
  expect(find(['a', 'dx', 'should_abstain']).problems[0]!.found).toContain('shown to the model');
  expect(find(['a', 'dx', 'should_abstain'], { columns: ['a'] }).problems).toEqual([]);
});

it('refuses two columns under one readable name, and nothing to show', () => {
  const same = find(['a', 'b', 'dx'], { columns: { a: { name: 'X' }, b: { name: 'X' } } });
  expect(same.problems[0]!.expected).toBe('different readable names');
  expect(find(['dx']).problems[0]!.found).toContain('no column is left');
});

it('names a group that is not in the file once, whether other columns are listed or not', () => {
  for (const definition of [{}, { columns: ['a'] }])
    expect(find(['a', 'dx'], { ...definition, groups: ['sex'] }).problems).toMatchObject([
      { column: 'sex', found: 'no such column' },
    ]);
});
