import { expect, it } from 'vitest';
import { task } from '../../test/engine-fixture.ts';
import { scoringFor } from './scoring-for.ts';

it('scores a task by its pack, its positive label and its scale', () => {
  expect(scoringFor(task)).toEqual({ positiveLabel: 'yes', taskLabels: task.labels });
  const { positiveLabel: _, ...staging } = task;
  expect(scoringFor({ ...staging, labels: ['G1', 'G2'], ordered: true, pack: 'staging' })).toEqual({
    task: 'staging',
    labels: ['G1', 'G2'],
    taskLabels: ['G1', 'G2'],
  });
  expect(scoringFor({ ...task, labelFromValues: true })).toEqual({
    positiveLabel: 'yes',
    taskLabels: task.labels,
    labelFromValues: true,
  });
  expect(scoringFor({ ...task, positiveLabel: 0 }), 'a positive label may be 0').toEqual({
    positiveLabel: 0,
    taskLabels: task.labels,
  });
});
