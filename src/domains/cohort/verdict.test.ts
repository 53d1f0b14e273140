import { describe, expect, it } from 'vitest';
import { decisionMarks, mustActMark } from './verdict.ts';

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
