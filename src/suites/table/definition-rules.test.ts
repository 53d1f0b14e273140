import { expect, it } from 'vitest';
import { KrisisError } from '../../core/errors.ts';
import { checkDefinition } from './check-definition.ts';

const good = { name: 'own/x', file: 'x.csv', label: 'dx', instructions: 'Answer.' };
const check = (more: Record<string, unknown>) => () => checkDefinition({ ...good, ...more });

it('has nothing against a definition in which all fits', () => {
  const arms = { natural: 'x', instructed: 'y' };
  expect(check({ pack: 'detection', labels: ['a', 'b'], positiveLabel: 'A' })).not.toThrow();
  expect(
    check({ instructions: undefined, arms, primaryEndpoint: { metric: 'accuracy', arm: 'instructed' } }),
  ).not.toThrow();
});

it.each<[string, Record<string, unknown>, string]>([
  ['no instructions', { instructions: undefined }, 'expected either instructions or arms'],
  ['instructions and arms', { arms: { natural: 'x' } }, 'expected either instructions or arms'],
  ['an order of chance', { ordered: true }, 'labels is not given; expected the labels from mild to grave'],
  [
    'stages without labels',
    { pack: 'staging' },
    'labels is not given; expected the labels from mild to grave',
  ],
  ['stages without order', { pack: 'staging', labels: [1, 2], ordered: false }, 'ordered is false'],
  ['detection of nothing', { pack: 'detection' }, 'positiveLabel is not given'],
  ['a positive outside', { labels: ['a', 'b'], positiveLabel: 'c' }, 'expected one of the labels: a, b'],
  ['an unknown arm', { primaryEndpoint: { metric: 'accuracy', arm: 'x' } }, 'an arm among natural'],
  ['reasons alone', { shouldAbstainReasons: 'why' }, 'shouldAbstain is not given'],
  ['an act label outside', { labels: ['a', 'b'], actLabels: ['a', 'c'] }, 'some of the labels: a, b'],
  ['an act label twice', { labels: ['a', 'b'], actLabels: ['a', 'A'] }, 'each label once'],
  ['no act label', { actLabels: [] }, 'at least one label'],
  ['a label as a group', { groups: ['dx'] }, 'other columns than "dx", which is label'],
  ['emergencies as a group', { mustAct: 'e', groups: ['e'] }, 'other columns than "e", which is mustAct'],
  [
    'emergencies twice',
    { mustAct: 'e', metadata: ['must_act'] },
    'columns other than must_act, which the key mustAct names',
  ],
  ['a deferral column as metadata', { metadata: ['should_abstain'] }, 'metadata is ["should_abstain"]'],
])('refuses %s', (_, more, message) => {
  expect(check(more)).toThrow(KrisisError);
  expect(check(more)).toThrow(message);
});

it.each(['label', 'id', 'shouldAbstain', 'shouldAbstainReasons', 'mustAct', 'metadata'])(
  'refuses to show the column of %s',
  (role) => {
    const hidden = { id: 'i', shouldAbstain: 's', shouldAbstainReasons: 'r', mustAct: 'e', label: 'l' };
    const roles = { ...hidden, metadata: ['m'] };
    const column = [roles[role as keyof typeof roles]].flat()[0]!;
    expect(check({ ...roles, columns: ['a', column] })).toThrow(`which is ${role}: a column has one role`);
  },
);
