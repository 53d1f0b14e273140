import { describe, expect, it } from 'vitest';
import { TASK_NAMES } from '../../metrics/bundle-options.ts';
import { extendedMetrics } from '../../metrics/registry.ts';
import { parseGate } from '../gates/parse-gate.ts';
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
    ['accuracy >= 90', 'accuracy lies between 0 and 1; did you mean 0.9?'],
    ['accuracy >= 7', 'accuracy lies between 0 and 1; did you mean 0.07?'],
    ['accuracy >= 250', 'accuracy lies between 0 and 1'],
    ['accuracy >= -0.5', 'accuracy lies between 0 and 1'],
    ['deferral_mcc >= 90', 'deferral_mcc lies between -1 and 1; did you mean 0.9?'],
    ['log_loss <= 1e999', 'the limit is too large a number'],
    ['accuracy <= 1', 'it cannot fail: accuracy is never above 1'],
    ['accuracy <= 99.99999999999%', 'it cannot fail: accuracy is never above 1'],
    ['lower(accuracy) >= 0', 'it cannot fail: accuracy is never below 0'],
    ['upper(false_alarm_rate) <= 100%', 'it cannot fail: false_alarm_rate is never above 1'],
    ['accuracy >= 1e-999', 'it cannot fail: accuracy is never below 0'],
    ['accuracy >= 1e-10', 'it cannot fail: accuracy is never below 0'],
    ['deferral_mcc >= -1', 'it cannot fail: deferral_mcc is never below -1'],
    ['upper(accuracy) > 0', 'it cannot fail: no upper bound of a share is 0'],
    ['lower(accuracy) < 1', 'it cannot fail: no lower bound of a share is 1'],
    ['threshold_coverage(0.05, 0.9) >= 0', 'it cannot fail: threshold_coverage is never below 0'],
    ['accuracy > 1', 'it cannot be met: accuracy is never above 1'],
    ['missed_emergency_rate < 0', 'it cannot be met: missed_emergency_rate is never below 0'],
    ['missed_emergency_rate <= 0', null],
    ['accuracy >= 1', null],
    ['accuracy == 1', null],
    ['accuracy > 0', null],
    ['lower(accuracy) > 0', null],
    ['deferral_mcc >= -0.5', null],
    ['deferral_cost <= 90', null],
  ])('of %s', (text, problem) => {
    expect(limitProblem(parseGate(text))).toBe(problem);
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
