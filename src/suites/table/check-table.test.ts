import { expect, it } from 'vitest';
import { checkDefinition } from './check-definition.ts';
import { checkTable } from './check-table.ts';
import type { TableDefinition } from './definition.ts';
import { readDelimited } from './read-table.ts';
import { surveyTable } from './survey-table.ts';

function warnings(text: string, definition: Partial<TableDefinition> = {}) {
  const checked = checkDefinition({
    name: 'own/x',
    file: 'x.csv',
    label: 'dx',
    instructions: 'Answer.',
    ...definition,
  });
  const table = readDelimited(() => [text], ',');
  return checkTable(table, surveyTable(table, checked), checked).warnings;
}

it('is silent where nothing is odd', () => {
  expect(warnings('na,dx\n130,low\n140,ok\n131,low\n')).toEqual([]);
});

it('names lines, never their content', () => {
  const [text] = warnings('na,dx\n130,low\nSECRET,ok\n131,low\n');
  expect(text).toContain('column "na" is shown as text');
  expect(text).toContain('line 3');
  expect(text).not.toContain('SECRET');
});

it('reports a recoded label, labels that do not occur, copies and empty deferral labels', () => {
  expect(warnings('code,dx\n1,low\n2,ok\n1,low\n2,ok\n')).toEqual([
    'column "code" gives the label away: each of its values goes with one label only',
    '2 rows show the same as an earlier row',
  ]);
  expect(
    warnings('na,dx,defer\n130,low,\n140,ok,\n', { labels: ['low', 'ok', 'high'], shouldAbstain: 'defer' }),
  ).toEqual([
    'no row has the label "high"',
    'column "defer" is empty in every row: deferral cannot be scored',
  ]);
});

it('warns of names that give the answer away, and of emergencies that nobody marked', () => {
  expect(warnings('Case No,na,act,dx\n1,130,,low\n2,140,,ok\n3,131,,low\n', { mustAct: 'act' })).toEqual([
    'column "Case No" is shown to the model, and by its name it is an identifier: name it under id, or under metadata',
    'column "act" is empty in every row: missed emergencies cannot be scored',
  ]);
});
