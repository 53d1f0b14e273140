import { expect, expectTypeOf, it } from 'vitest';
import type { Score } from '../core/score.ts';
import type { RunResult } from '../runs/run-result.ts';
import { TASK_NAMES } from './bundle-options.ts';
import { defineMetric } from './define-metric.ts';
import { METRIC_NAMES, type MetricName } from './metric-names.ts';
import { extendedMetrics } from './registry.ts';

it('names every metric of every bundle, and no other', () => {
  const options = { positiveLabel: 1, labelFromValues: true, targetPrevalence: 0.1 };
  const names = [undefined, ...TASK_NAMES].flatMap((task) =>
    extendedMetrics({ ...options, task }).map(({ name }) => name),
  );
  expect([...METRIC_NAMES].sort()).toEqual([...new Set(names)].sort());
});

it('completes in the scores of a result, which hold metrics of the user, too', () => {
  expectTypeOf<RunResult['scores']['decision_accuracy']>().toEqualTypeOf<Score | undefined>();
  expectTypeOf<MetricName>().toExtend<keyof RunResult['scores']>();
  expectTypeOf<RunResult['scores']>().toHaveProperty('my_metric');
});

it('refuses a metric without a formula when it is compiled, and when it is made', () => {
  // @ts-expect-error: no formula
  expect(() => defineMetric({ name: 'nothing', label: 'Nothing' })).toThrow(
    'metric "nothing": give either a proportion or an estimate',
  );
});
