import { describe, expect, it } from 'vitest';
import { TASK_NAMES } from './bundle-options.ts';
import { builtInMetric, defaultBenchmarkMetrics, extendedMetrics } from './registry.ts';

const namesOf = (metrics: readonly { readonly name: string }[]) => metrics.map(({ name }) => name);

const SIXTEEN = [
  'accuracy',
  'balanced_accuracy',
  'selective_accuracy',
  'abstention_rate',
  'answer_rate',
  'deferral_alignment',
  'expected_calibration_error',
  'brier_score',
  'missed_emergency_rate',
  'false_alarm_rate',
  'must_act_silence_rate',
  'must_act_accuracy',
  'unsafe_decision_rate',
  'decision_accuracy',
  'answerable_accuracy',
  'deferral_recall',
];

describe('the default bundle', () => {
  it('has 16 metrics, beside their companions and what other parts read', () => {
    const counted = defaultBenchmarkMetrics().filter(({ companionOf, readBy }) => !companionOf && !readBy);
    expect(namesOf(counted).sort()).toEqual(SIXTEEN.toSorted());
  });

  it('has companions of these metrics only, and the extended bundle lists all', () => {
    const companions = defaultBenchmarkMetrics().flatMap(({ companionOf }) => companionOf ?? []);
    expect(companions).toContain('expected_calibration_error');
    expect(companions.filter((name) => !SIXTEEN.includes(name))).toEqual([]);
    expect(extendedMetrics().filter(({ readBy }) => readBy)).toEqual([]);
  });
});

describe('bundles', () => {
  it.each([undefined, ...TASK_NAMES])('the extended bundle begins with the default one (task %s)', (task) => {
    const standard = namesOf(defaultBenchmarkMetrics({ task }));
    expect(namesOf(extendedMetrics({ task })).slice(0, standard.length)).toEqual(standard);
  });

  it.each([undefined, ...TASK_NAMES])('no name comes twice (task %s)', (task) => {
    const names = namesOf(extendedMetrics({ task, targetPrevalence: 0.1 }));
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('builtInMetric', () => {
  it('finds every metric of every bundle by its name', () => {
    for (const task of TASK_NAMES) {
      for (const { name, label } of extendedMetrics({ task, targetPrevalence: 0.5 })) {
        expect(builtInMetric(name)).toMatchObject({ name, label });
      }
    }
  });

  it('lets options override those of the bundle', () => {
    expect(builtInMetric('sensitivity', { abstentions: 'itd' })?.name).toBe('sensitivity_itd');
    expect(builtInMetric('effective_reliability', { cost: 7 })?.name).toBe('effective_reliability_7');
  });

  it('does not know names of other things', () => {
    expect(builtInMetric('toString')).toBeUndefined();
  });
});
