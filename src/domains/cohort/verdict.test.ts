import { describe, expect, it } from 'vitest';
import { answered, decisionMarks, mustActMark, noAnswer } from './verdict.ts';

describe('mustActMark', () => {
  it.each<[string[], boolean | null]>([
    [[], false],
    [['egfr_below_10'], null],
    [['severe_hypertension'], null],
    [['hypertensive_emergency'], true],
    [['haemoglobin_below_7', 'egfr_below_10'], true],
  ])('of %j is %s', (reasons, mark) => {
    expect(mustActMark(reasons)).toBe(mark);
  });
});

describe('decisionMarks', () => {
  const near = { answer: 3, shouldAbstain: true, reasons: ['near'] };
  const none = { answer: null, shouldAbstain: true, reasons: ['child'] };

  it('marks a row near a line only where it must be deferred and has an answer', () => {
    expect(decisionMarks(near, [])).toEqual({
      should_abstain: true,
      should_abstain_reasons: ['near'],
      near_line: true,
      must_act: false,
      must_act_reasons: [],
    });
    expect(decisionMarks(none, []).near_line).toBe(false);
    expect(decisionMarks({ ...near, shouldAbstain: null }, []).near_line).toBe(false);
  });

  it('never demands deferral in an emergency, with a label or without, and keeps the reasons', () => {
    for (const row of [near, none])
      expect(decisionMarks(row, ['haemoglobin_below_7'])).toMatchObject({
        should_abstain: null,
        should_abstain_reasons: row.reasons,
        near_line: false,
        must_act: true,
      });
    const clear = { answer: 3, shouldAbstain: false, reasons: [] };
    expect(decisionMarks(clear, ['haemoglobin_below_7']).should_abstain).toBe(false);
  });

  it('demands it where treatment soon is all that is called for', () => {
    expect(decisionMarks(near, ['egfr_below_10'])).toMatchObject({ should_abstain: true, must_act: null });
  });
});

describe('answered', () => {
  it.each<[number, boolean | null]>([
    [0, false],
    [0.0499, false],
    [0.05, null],
    [0.1, null],
    [0.2, null],
    [0.2001, true],
    [0.6, true],
  ])('with a flip probability of %f says %s', (flip, shouldAbstain) => {
    expect(answered(3, flip, { near: 'near' })).toEqual({
      answer: 3,
      flipProbability: flip,
      shouldAbstain,
      reasons: shouldAbstain ? ['near'] : [],
      mustAct: [],
    });
  });

  it('moves the upper edge when told, and keeps the lower one', () => {
    const options = { near: 'near', deferAbove: 0.1 };
    expect([0.04, 0.06, 0.1, 0.11].map((flip) => answered(3, flip, options).shouldAbstain)).toEqual([
      false,
      null,
      null,
      true,
    ]);
  });

  it('defers by nearness, not by flip probability, where a task has a rule for it', () => {
    expect(answered(3, 0.01, { near: 'near', isNear: true })).toMatchObject({
      shouldAbstain: true,
      reasons: ['near'],
    });
    expect(answered(3, 0.3, { near: 'near', isNear: false })).toMatchObject({
      shouldAbstain: null,
      reasons: [],
    });
    expect(answered(3, 0.3)).toMatchObject({ shouldAbstain: null, reasons: [] });
  });

  it('defers by the part of the flip probability that decides something', () => {
    expect(answered(3, 0.3, { near: 'near', decisiveFlip: 0.1 })).toMatchObject({
      decisiveFlip: 0.1,
      shouldAbstain: null,
      reasons: [],
    });
  });

  it('leaves doubt unlabelled where waiting is unsafe, and what it is told to leave open', () => {
    expect(answered(3, 0.3, { near: 'near', mustAct: ['level_2_hypoglycaemia'] })).toMatchObject({
      shouldAbstain: null,
      reasons: [],
    });
    expect(answered(3, 0.01, { unlabelled: true }).shouldAbstain).toBeNull();
  });
});

it('names every reason where no answer is safe', () => {
  expect(noAnswer('missing_age', 'pregnancy')).toEqual({
    answer: null,
    flipProbability: null,
    shouldAbstain: true,
    reasons: ['missing_age', 'pregnancy'],
    mustAct: [],
  });
});
