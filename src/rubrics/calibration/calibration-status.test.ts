import { describe, expect, it } from 'vitest';
import { type CalibrationLabels, calibrationStatus } from './calibration-status.ts';
import { type LabelEvent, resolveLabels } from './resolve-labels.ts';

const labels = (n: number, wrong: number): CalibrationLabels => ({
  pairs: Array.from({ length: 2 * n }, (_, i) => {
    const human = i % 2 === 0 ? 'present' : 'absent';
    const judge = Math.floor(i / 2) < wrong ? (human === 'present' ? 'absent' : 'present') : human;
    return { human, judge, question: `q${i % 40}` };
  }),
  nDoubleRated: 30,
  sameInstrument: true,
  randomSample: true,
});

describe('calibrationStatus', () => {
  it('needs more than one label', () => {
    const one = { ...labels(1, 0), nDoubleRated: 1 };
    expect(calibrationStatus(one)).toMatchObject({ status: 'not_calibrated' });
    expect(calibrationStatus({ ...one, pairs: [] }).reasons).toEqual([
      'too_few_present_labels',
      'too_few_not_present_labels',
      'too_few_questions',
      'too_few_double_ratings',
      'sensitivity_lower_bound',
      'specificity_lower_bound',
    ]);
  });

  it('with 30 labels 28 must be right', () => {
    expect(calibrationStatus(labels(30, 2)).status).toBe('calibrated');
    expect(calibrationStatus(labels(30, 3)).reasons).toEqual([
      'sensitivity_lower_bound',
      'specificity_lower_bound',
    ]);
  });

  it('needs the same instrument and a random sample', () => {
    const { reasons } = calibrationStatus({ ...labels(40, 0), sameInstrument: false, randomSample: false });
    expect(reasons).toEqual(['not_same_instrument', 'not_random_sample']);
  });

  it('leaves out unclear labels and unusable verdicts', () => {
    const { pairs } = labels(30, 0);
    const more = [
      { human: 'unclear', judge: 'present', question: 'q1' },
      { human: 'present', judge: 'judge_error', question: 'q1' },
    ];
    expect(calibrationStatus({ ...labels(30, 0), pairs: [...pairs, ...more] })).toMatchObject({
      nPresent: 30,
      nNotPresent: 30,
    });
  });
});

describe('resolveLabels', () => {
  const texts = { answerHash: 'a', itemHash: 't' };
  const event = (id: string, rater: string, more: Partial<LabelEvent> = {}): LabelEvent => ({
    id,
    target: 'x',
    rater,
    verdict: 'present',
    ...texts,
    ...more,
  });
  const state = (...events: LabelEvent[]) => resolveLabels(events, { x: texts });

  it.each([
    ['an id that comes twice', [event('1', 'ann'), event('1', 'bob')]],
    ['a correction of nothing', [event('1', 'ann', { supersedes: '0' })]],
    ['a correction of another rater', [event('1', 'ann'), event('2', 'bob', { supersedes: '1' })]],
    [
      'a correction of another target',
      [event('1', 'ann', { target: 'y' }), event('2', 'ann', { supersedes: '1' })],
    ],
    [
      'two corrections of one event',
      [event('1', 'ann'), event('2', 'ann', { supersedes: '1' }), event('3', 'ann', { supersedes: '1' })],
    ],
    ['two labels of one rater', [event('1', 'ann'), event('2', 'ann')]],
    ['an adjudicator who rated', [event('1', 'ann'), event('2', 'ann', { role: 'adjudicator' })]],
  ])('refuses %s', (_, events) => {
    expect(state(...events)).toBeNull();
  });

  it('takes a new label after the answer changed', () => {
    expect(state(event('1', 'ann', { answerHash: 'old' }), event('2', 'ann'))!.x).toEqual({
      state: 'single',
      verdict: 'present',
      nRaters: 1,
      nStale: 1,
    });
  });

  it('has no verdict where raters disagree', () => {
    expect(state(event('1', 'ann'), event('2', 'bob', { verdict: 'absent' }))!.x).toMatchObject({
      state: 'disagreement',
      verdict: null,
    });
  });
});
