import { describe, expect, it } from 'vitest';
import { evaluationResult } from '../core/evaluation-result.ts';
import { estimateMetric, type Metric } from './metric.ts';
import { builtInMetrics, extendedMetrics } from './registry.ts';
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

describe('what the reference says of metrics', () => {
  const computed = [
    ...(['detection', 'staging', 'progression'] as const).flatMap((task) =>
      extendedMetrics({ task, positiveLabel: 1, labels: [0, 1, 2], targetPrevalence: 0.5 }),
    ),
    ...builtInMetrics(),
  ];
  const all = [...new Map(computed.map((metric) => [metric.name, metric])).values()];

  it.each(all)('$name states its formula, its range and when it misleads', (metric) => {
    expect([metric.formula, metric.misleads]).not.toContain(undefined);
    expect(metric.proportion !== undefined || metric.range !== undefined, 'range').toBe(true);
  });

  /** Rows of every kind, each a few times. */
  function anyRows(seed: number) {
    const draw = (k: number, i: number) =>
      Math.floor(Math.abs(Math.sin(seed * 131 + i * 17 + k) * 1e6)) % 100;
    return Array.from({ length: 40 }, (_, i) =>
      evaluationResult({
        id: `r${i % 30}`,
        groundTruth: draw(1, i) % 3,
        prediction: draw(2, i) % 3,
        abstained: draw(3, i) < 20,
        confidence: draw(4, i) / 100,
        urgent: draw(5, i) < 30,
        metadata: { should_abstain: draw(6, i) < 30, must_act: draw(7, i) < 20, near_line: draw(8, i) < 20 },
      }),
    );
  }

  it.each(all)('$name keeps to its range', (metric) => {
    const [, from, to] = /^(-?\d[\d.]*) (?:to|or) (-?\d[\d.]*)$/.exec(metric.range ?? '0 to 1') ?? [];
    const [, least] = /^from (\d+)$/.exec(metric.range ?? '') ?? [];
    for (let seed = 1; seed <= 20; seed++) {
      const value = estimateMetric(metric, Sample.of(anyRows(seed)));
      if (typeof value === 'string' || (from ?? least) === undefined) continue;
      expect(value).toBeGreaterThanOrEqual(Number(from ?? least) - 1e-12);
      if (to !== undefined) expect(value).toBeLessThanOrEqual(Number(to) + 1e-12);
    }
  });
});
