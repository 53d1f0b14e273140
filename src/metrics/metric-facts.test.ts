import { describe, expect, it } from 'vitest';
import { evaluationResult } from '../core/evaluation-result.ts';
import type { Metric } from './metric.ts';
import { extendedMetrics } from './registry.ts';
import { Sample } from './sample.ts';

const metrics = extendedMetrics({ task: 'detection', positiveLabel: 1 });

/** Records of every kind, and what a model may do with all of them. */
const RECORDS = [true, false].flatMap((must_act) =>
  [true, false].flatMap((should_abstain) =>
    [0, 1].map((groundTruth) => ({ groundTruth, metadata: { must_act, should_abstain, near_line: false } })),
  ),
);
const NO_ANSWER = { groundTruth: null, metadata: { should_abstain: true, must_act: false } };
const POLICIES = [
  { prediction: 0, urgent: false },
  { prediction: 1, urgent: true },
  { abstained: true, urgent: false },
  { prediction: null, urgent: null },
];

function denominators({ proportion }: Metric): Set<number> {
  return new Set(
    POLICIES.map((policy) => {
      const rows = [...RECORDS, NO_ANSWER].map((record) => evaluationResult({ ...record, ...policy }));
      // A row that states urgency keeps the rule for missed emergencies the same under every policy.
      const asked = evaluationResult({ groundTruth: 1, prediction: 1, urgent: true });
      return proportion!(Sample.of([...rows, asked])).n;
    }),
  );
}

describe('what metrics say of themselves', () => {
  it.each(metrics.filter(({ fixedDenominator }) => fixedDenominator))(
    '$name has the same denominator whatever the model does',
    (metric) => {
      expect(denominators(metric).size).toBe(1);
    },
  );

  it('no share over answered rows has a fixed denominator', () => {
    const names = metrics.filter((metric) => metric.answeredOnly && metric.fixedDenominator);
    expect(names.map(({ name }) => name)).toEqual([]);
  });

  it('names the shares that can be claimed of a whole suite, compare groups, and are no sum over rows', () => {
    const named = (fact: 'fixedDenominator' | 'comparesGroups' | 'acrossRows' | 'dependsOnEmergencyRule') =>
      metrics.flatMap((metric) => (metric[fact] ? metric.name : [])).sort();
    expect(named('fixedDenominator')).toEqual([
      'abstention_rate',
      'accuracy',
      'answer_rate',
      'answerable_accuracy',
      'answered_should_defer_rate',
      'decision_accuracy',
      'decision_accuracy_clear',
      'deferral_alignment',
      'deferral_recall',
      'deferral_specificity',
      'deferred_without_need_rate',
      'false_alarm_rate',
      'invalid_rate',
      'missed_emergency_rate',
      'must_act_accuracy',
      'must_act_silence_rate',
      'sensitivity_itd',
      'specificity_itd',
      'unanswerable_answer_rate',
      'unsafe_answer_rate',
      'unsafe_decision_rate',
      'usable_answer_rate',
    ]);
    expect(named('comparesGroups')).toEqual([
      'abstention_rate',
      'accuracy',
      'answerable_accuracy',
      'answerable_selective_accuracy',
      'decision_accuracy',
      'selective_accuracy',
      'sensitivity',
      'specificity',
    ]);
    expect(named('acrossRows')).toEqual(['grounded_deferral_rate', 'run_consistency', 'wrong_answer_rate']);
    expect(named('dependsOnEmergencyRule')).toEqual([
      'false_alarm_rate',
      'missed_emergency_rate',
      'unsafe_decision_rate',
    ]);
  });
});
