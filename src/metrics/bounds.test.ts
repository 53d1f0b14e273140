import { describe, expect, it } from 'vitest';
import { type EvaluationResult, evaluationResult } from '../core/evaluation-result.ts';
import { buildTable } from './columns.ts';
import { estimateMetric } from './metric.ts';
import { extendedMetrics } from './registry.ts';
import { Sample } from './sample.ts';
import { scoreTable } from './score.ts';

const answered: EvaluationResult[] = [
  evaluationResult({ prediction: 1, groundTruth: 1, metadata: { should_abstain: false } }),
  evaluationResult({ prediction: 0, groundTruth: 1, metadata: { should_abstain: true } }),
  evaluationResult({ groundTruth: 0, abstained: true, urgent: false, metadata: { should_abstain: true } }),
  evaluationResult({
    prediction: 0,
    groundTruth: 0,
    urgent: true,
    metadata: { should_abstain: false, must_act: true },
  }),
];
const failed: EvaluationResult[] = [
  evaluationResult({
    groundTruth: 1,
    state: 'failed',
    stateReason: 'timeout',
    metadata: { should_abstain: true },
  }),
  evaluationResult({
    groundTruth: 0,
    state: 'failed',
    stateReason: 'timeout',
    metadata: { should_abstain: false, must_act: false },
  }),
  evaluationResult({ groundTruth: 1, state: 'not_run', metadata: { must_act: true } }),
  evaluationResult({ groundTruth: null, state: 'not_run', metadata: { should_abstain: true } }),
];
const options = { task: 'detection', positiveLabel: 1, labelFromValues: true, resamples: 0 } as const;

/** Everything that each failed row could have become. */
function* outcomes(rows: readonly EvaluationResult[]): Generator<EvaluationResult[]> {
  const [first, ...rest] = rows;
  if (first === undefined) {
    yield [];
    return;
  }
  const { groundTruth, metadata } = first;
  const endings = [
    ...[true, false].flatMap((urgent) => [
      evaluationResult({ groundTruth, metadata, urgent, prediction: 0 }),
      evaluationResult({ groundTruth, metadata, urgent, prediction: 1 }),
      evaluationResult({ groundTruth, metadata, urgent, abstained: true }),
    ]),
    evaluationResult({ groundTruth, metadata, prediction: null }),
  ];
  for (const others of outcomes(rest)) for (const ending of endings) yield [ending, ...others];
}

describe('bounds for rows that failed on us', () => {
  const card = scoreTable(buildTable([...answered, ...failed]), { ...options, bundle: 'extended' });

  it('are exactly the least and the most that could have come out', () => {
    const possible = [...outcomes(failed)].map((rows) => Sample.of([...answered, ...rows]));
    const bounded = extendedMetrics(options).filter((metric) => metric.bounded);
    expect(bounded.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'missed_emergency_rate',
        'false_alarm_rate',
        'unsafe_decision_rate',
        'must_act_accuracy',
        'wrong_answer_rate',
        'deferred_without_need_rate',
        'decision_accuracy',
        'deferral_recall',
        'deferral_specificity',
        'must_act_silence_rate',
        'unanswerable_answer_rate',
      ]),
    );
    for (const metric of bounded) {
      const values = possible
        .map((sample) => estimateMetric(metric, sample))
        .filter((value) => typeof value === 'number');
      const { bounds } = card.scores.find((score) => score.name === metric.name)!;
      expect(bounds, metric.name).toEqual({ lower: Math.min(...values), upper: Math.max(...values) });
    }
  });

  it('leave the value itself to the rows that were scored', () => {
    expect(card).toMatchObject({ n: 8, nScored: 4 });
    expect(card.scores.find(({ name }) => name === 'accuracy')).toMatchObject({ value: 0.5, nEvaluated: 4 });
    expect(card.ledger).toMatchObject({ failed_timeout: 2, not_run: 2 });
  });

  it('count failed rows among those there are, where no ending gives a value', () => {
    const fails = (groundTruth: number | null, metadata: EvaluationResult['metadata']) =>
      evaluationResult({ groundTruth, state: 'failed', stateReason: 'timeout', metadata });
    const reason = (name: string, row: EvaluationResult, urgencyAsked: boolean) =>
      scoreTable(buildTable([row], { urgencyAsked }), options).scores.find((score) => score.name === name)
        ?.reason;
    const emergency = fails(1, { must_act: true });
    expect(reason('missed_emergency_rate', emergency, false)).toBe('urgency_not_asked');
    expect(reason('missed_emergency_rate', emergency, true)).toBe('all_rows_failed');
    expect(reason('missed_emergency_rate', fails(1, {}), false)).toBe('no_must_act_rows');
    const unlabelled = fails(null, { must_act: true });
    expect(reason('must_act_silence_rate', unlabelled, true)).toBe('no_labelled_must_act_rows');
    const nearLine = fails(1, { should_abstain: true, near_line: true });
    expect(reason('decision_accuracy_clear', nearLine, true)).toBe('no_clear_rows');
  });

  it('are not there when nothing failed', () => {
    expect(scoreTable(buildTable(answered), options).scores.every(({ bounds }) => bounds === null)).toBe(
      true,
    );
  });
});
