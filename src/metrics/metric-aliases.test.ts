import { expect, it } from 'vitest';
import { canonicalMetricName } from './metric.ts';
import { defaultBenchmarkMetrics, extendedMetrics } from './registry.ts';

it.each([
  ['Abstention Rate', 'abstention_rate'],
  ['Accuracy', 'accuracy'],
  ['Answer Rate (Coverage)', 'answer_rate'],
  ['Balanced Accuracy', 'balanced_accuracy'],
  ['Brier Score', 'brier_score'],
  ['Deferral Alignment', 'deferral_alignment'],
  ['Expected Calibration Error', 'expected_calibration_error'],
  ['Selective Accuracy (answered only)', 'selective_accuracy'],
  ['ECE', 'expected_calibration_error'],
])('%s is %s', (published, ours) => {
  expect(canonicalMetricName(published)).toBe(ours);
  expect(defaultBenchmarkMetrics().map(({ name }) => name)).toContain(ours);
});

it('leaves our own names as they are', () => {
  for (const task of ['detection', 'staging', 'progression'] as const)
    for (const { name } of extendedMetrics({ task })) expect(canonicalMetricName(name)).toBe(name);
});
