import { describe, expect, it } from 'vitest';
import { TASK_NAMES } from '../../metrics/bundle-options.ts';
import { extendedMetrics } from '../../metrics/registry.ts';
import { limitProblem, marginProblem, metricRange } from './metric-range.ts';

describe('metricRange', () => {
  it('is from 0 to 1 for every share', () => {
    const metrics = TASK_NAMES.flatMap((task) => extendedMetrics({ task, positiveLabel: 'a' }));
    const shares = metrics.filter(({ proportion }) => proportion !== undefined);
    expect(shares.length).toBeGreaterThan(20);
    for (const { name } of shares) expect([name, metricRange(name)]).toEqual([name, [0, 1]]);
  });

  it('is not known for costs, losses and metrics of a user', () => {
    for (const name of ['deferral_cost', 'log_loss', 'mae_stages', 'my_own_metric'])
      expect(metricRange(name)).toBeNull();
  });
});

describe('limitProblem', () => {
  it.each([
    ['accuracy', 90, 'accuracy lies between 0 and 1; did you mean 0.9?'],
    ['accuracy', 7, 'accuracy lies between 0 and 1; did you mean 0.07?'],
    ['accuracy', 250, 'accuracy lies between 0 and 1'],
    ['accuracy', -0.5, 'accuracy lies between 0 and 1'],
    ['deferral_mcc', 90, 'deferral_mcc lies between -1 and 1; did you mean 0.9?'],
    ['deferral_mcc', -0.5, null],
    ['accuracy', 1, null],
    ['deferral_cost', 90, null],
  ])('of %s and %d', (metric, limit, problem) => {
    expect(limitProblem(metric, limit)).toBe(problem);
  });
});

it('has no margin that tolerates any loss', () => {
  expect(marginProblem('accuracy', 2)).toContain('did you mean 0.02?');
  expect(marginProblem('accuracy', 1)).toContain('between 0 and 1');
  expect([marginProblem('accuracy', 0.9), marginProblem('mcc', 1.5), marginProblem('log_loss', 3)]).toEqual([
    null,
    null,
    null,
  ]);
});
