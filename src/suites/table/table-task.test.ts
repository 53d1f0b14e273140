import { expect, it } from 'vitest';
import { asksUrgency } from '../task.ts';
import { checkDefinition } from './check-definition.ts';
import { tableTask } from './define-table-suite.ts';
import type { TableDefinition } from './definition.ts';

const rest = { name: 'own/x', file: 'x.csv', label: 'dx' };
const task = (definition: Partial<TableDefinition>) =>
  tableTask(checkDefinition({ ...rest, ...definition }), definition.labels ?? ['a', 'b']);

it('has one arm, natural, unless there are more', () => {
  expect(task({ instructions: 'Answer.' })).toMatchObject({
    id: 'own/x',
    arms: { natural: { instructions: 'Answer.' } },
    defaultArm: 'natural',
    ordered: false,
  });
  expect(task({ arms: { instructed: 'x', natural: 'y' } }).defaultArm).toBe('natural');
  expect(task({ arms: { instructed: 'x', bare: 'y' } }).defaultArm).toBe('instructed');
});

it('measures decisions where deferral is labelled, answers where it is not', () => {
  expect(task({ instructions: 'x' }).primaryEndpoint.metric).toBe('selective_accuracy');
  expect(task({ instructions: 'x', shouldAbstain: 'd' }).primaryEndpoint.metric).toBe('decision_accuracy');
  expect(
    task({ instructions: 'x', primaryEndpoint: { metric: 'f1', why: 'because' } }).primaryEndpoint,
  ).toEqual({
    metric: 'f1',
    arm: 'natural',
    why: 'because',
  });
});

it('is ordered with the pack staging', () => {
  expect(task({ instructions: 'x', pack: 'staging', labels: [1, 2] })).toMatchObject({
    ordered: true,
    pack: 'staging',
  });
});

it('knows what its reasons to defer are cases of', () => {
  const reasons = { shouldAbstain: 'd', shouldAbstainReasons: 'why' };
  expect(
    task({ instructions: 'x', ...reasons, deferralReasons: { hemolysed: 'data_conflict' } }).deferralReasons,
  ).toEqual({ hemolysed: { general: 'data_conflict' } });
  expect(task({ instructions: 'x', ...reasons })).not.toHaveProperty('deferralReasons');
  expect(() => task({ instructions: 'x', deferralReasons: { hemolysed: 'data_conflict' } })).toThrow(
    /shouldAbstainReasons/,
  );
  expect(() =>
    task({ instructions: 'x', ...reasons, deferralReasons: { hemolysed: 'bad blood' as never } }),
  ).toThrow(/one of data_missing/);
});

it('asks for urgency where emergencies are marked, unless a label means to act', () => {
  expect(task({ instructions: 'x', mustAct: 'e' })).toMatchObject({ asksUrgency: true });
  expect(asksUrgency(task({ instructions: 'x' }))).toBe(false);
  const triage = task({ instructions: 'x', mustAct: 'e', labels: ['home', 'Em'], actLabels: ['em'] });
  expect(triage.actLabels, 'spelled as the label is').toEqual(['Em']);
  expect(asksUrgency(triage)).toBe(false);
});
