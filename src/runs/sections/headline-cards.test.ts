import { describe, expect, it } from 'vitest';
import { reportOf, rows } from '../../../test/run-report-fixture.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { unsafeParts } from '../../reports/words.ts';
import { firstCards } from './headline-cards.ts';
import { headlineScores } from './headline-scores.ts';

const share = (value: number) => ({ value, lower: null, upper: null, n: 100 });
const emergencies = [true, false].map((urgent, i) =>
  evaluationResult({
    id: `e${i}`,
    groundTruth: 'G1',
    prediction: 'G1',
    confidence: 0.9,
    urgent,
    metadata: { must_act: true, should_abstain: false },
  }),
);
const { card } = reportOf({}, [
  ...rows.map((row) => ({
    ...row,
    urgent: false,
    metadata: { ...row.metadata, must_act: false, near_line: row.id === 'r0' },
  })),
  ...emergencies,
]);
const cards = firstCards({
  scores: card.scores,
  headlines: headlineScores(card.scores, 'decision_accuracy'),
  baselines: [
    {
      model: 'baseline/majority',
      n: 100,
      scores: { decision_accuracy: share(0.3), answered_should_defer_rate: share(1) },
    },
  ],
  primary: 'decision_accuracy',
});
const cardOf = (name: string) => cards.find(({ metric }) => metric === name)!;

describe('the cards on the first screen', () => {
  it('begin with emergencies and harm, and have right decisions with and without cases near a line', () => {
    expect(cards.map(({ title }) => title)).toEqual([
      'Missed Emergencies',
      'False Alarms',
      'Unsafe Decisions',
      'Answered, Should Have Deferred',
      'Wrong Answers',
      'Deferred Without Need',
      'Decision Accuracy',
      'Decision Accuracy (clear cases)',
      'Usable Answers',
      'Expected Calibration Error (strict)',
      'Overconfidence (strict)',
    ]);
    expect(cards.filter(({ isPrimary }) => isPrimary)).toEqual([cardOf('decision_accuracy')]);
  });

  it('count harms, so that all emergencies missed is no perfect score', () => {
    expect(cardOf('missed_emergency_rate').value).toBe('1 of 2');
    expect(cardOf('false_alarm_rate').value).toBe('0 of 40');
    expect(cardOf('missed_emergency_rate').lines.join()).toMatch(/95 % interval 0\.\d{3} to 0\.\d{3}/);
    expect(cardOf('decision_accuracy').value).toBe('38 of 42');
    expect(cardOf('decision_accuracy').lines[0]).toMatch(/^0\.905, 95 % interval/);
    expect(cardOf('unsafe_decision_rate').lines).toContain('missed 1, wrong answers 3');
  });

  it('stand beside the constant policies and the baselines of the suite', () => {
    expect(cardOf('decision_accuracy').beside).toEqual([
      { name: 'always deferring', value: 8 / 42 },
      { name: 'majority', value: 0.3 },
    ]);
    expect(cardOf('answered_should_defer_rate').beside).toEqual([
      { name: 'never deferring', value: 1 },
      { name: 'always deferring', value: 0 },
      { name: 'majority', value: 1 },
    ]);
  });

  it('have the noise floor of calibration, and the plain value beside the strict one', () => {
    const lines = cardOf('expected_calibration_error_strict').lines.join();
    expect(lines).toMatch(/a calibrated model: 0\.\d{3}, up to 0\.\d{3}/);
    const { noise } = cardOf('expected_calibration_error_strict').strip!;
    expect(lines).toContain(`up to ${noise!.toFixed(3)}`);
    expect(cardOf('decision_accuracy').strip!.noise).toBeNull();
    expect(lines).toMatch(/0\.\d{3} if answers that should have been deferred count as right/);
  });

  it('say why a score has no value', () => {
    const silent = firstCards({
      scores: [],
      headlines: [{ ...card.scores[0]!, value: null, reason: 'all_rows_failed', interval: null }],
      baselines: [],
      primary: null,
    });
    expect(silent[0]).toMatchObject({ value: '–' });
    expect(silent[0]!.lines).toContain('no value: every call about such a case failed');
  });

  it('lead with wrong answers and accuracy where nothing is labelled', () => {
    const { scores } = reportOf(
      {},
      rows.map((row) => ({ ...row, metadata: {} })),
    ).card;
    expect(headlineScores(scores, null).map(({ name }) => name)).toEqual([
      'wrong_answer_rate',
      'accuracy',
      'usable_answer_rate',
      'expected_calibration_error_strict',
      'expected_calibration_error',
      'overconfidence_strict',
      'overconfidence',
    ]);
  });
});

describe('unsafeParts', () => {
  const parts = { wrong_answer: 3, answered_must_defer: 2, missed_emergency: 4, more_than_one: 1 };

  it('names the parts in order of harm, and how many count twice', () => {
    expect(unsafeParts({ details: { parts } })).toBe(
      'missed 4, should have deferred 2, wrong answers 3 (1 of them twice)',
    );
    const none = { wrong_answer: 0, answered_must_defer: 0, missed_emergency: 0, more_than_one: 0 };
    expect([unsafeParts({ details: { parts: none } }), unsafeParts({ details: {} })]).toEqual([null, null]);
  });
});
