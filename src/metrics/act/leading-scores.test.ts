import { describe, expect, it } from 'vitest';
import { type EvaluationResult, evaluationResult } from '../../core/evaluation-result.ts';
import { buildTable } from '../columns.ts';
import { scoreTable } from '../score.ts';
import { leadingScores } from './leading-scores.ts';

const namesOf = (rows: readonly EvaluationResult[], primary: string | null) =>
  leadingScores(scoreTable(buildTable(rows), { resamples: 0 }).scores, primary).map(({ name }) => name);
const row = (metadata: EvaluationResult['metadata'], urgent: boolean | null = null) =>
  evaluationResult({ prediction: 1, groundTruth: 1, urgent, metadata });

describe('leadingScores', () => {
  const labelled = [
    row({ must_act: true, should_abstain: false }, true),
    row({ must_act: false, should_abstain: true }, false),
  ];

  it('are emergencies, harm, cost and the primary endpoint, decision accuracy with its clear cases', () => {
    expect(namesOf(labelled, 'decision_accuracy')).toEqual([
      'missed_emergency_rate',
      'false_alarm_rate',
      'unsafe_decision_rate',
      'answered_should_defer_rate',
      'wrong_answer_rate',
      'deferred_without_need_rate',
      'decision_accuracy',
      'decision_accuracy_clear',
    ]);
    expect(namesOf(labelled, 'qwk').at(-1)).toBe('deferred_without_need_rate');
    expect(namesOf(labelled, null)).not.toContain('decision_accuracy');
  });

  it('are silence in emergencies where urgency was not asked', () => {
    const silent = labelled.map((own) => ({ ...own, urgent: null }));
    expect(namesOf(silent, null).slice(0, 2)).toEqual(['must_act_silence_rate', 'must_act_accuracy']);
  });

  it('leave unsafe decisions out where they would cover emergencies alone', () => {
    expect(namesOf([row({ must_act: true }, true), row({ must_act: false }, false)], 'accuracy')).toEqual([
      'missed_emergency_rate',
      'false_alarm_rate',
      'wrong_answer_rate',
      'accuracy',
    ]);
  });
});
