import { describe, expect, it } from 'vitest';
import { readAnswer } from './parse-reply.ts';

const labels = [1, 2, 3, '3a', 'None'];
const read = (entry: Record<string, unknown>, task = { labels: labels as (string | number | boolean)[] }) =>
  readAnswer({ abstained: false, confidence: 0.5, ...entry }, task);

describe('readAnswer', () => {
  it.each([
    [3, 3],
    ['3', 3],
    [' 3 ', 3],
    ['3A', '3a'],
    ['none', 'None'],
  ])("reads %j as the task's own label", (prediction, label) => {
    expect(read({ prediction })).toEqual({ prediction: label, abstained: false, confidence: 0.5 });
  });

  it.each([
    [{ prediction: 3.7 }, 'label_not_in_task', 3.7],
    [{ prediction: '3.0' }, 'label_not_in_task', '3.0'],
    [{ prediction: 'stage 3' }, 'label_not_in_task', 'stage 3'],
    [{ prediction: Infinity }, 'label_not_in_task', null],
    [{ prediction: true }, 'prediction_is_no_label', null],
    [{ prediction: { label: 3 } }, 'prediction_is_no_label', null],
    [{ prediction: [3] }, 'prediction_is_no_label', null],
    [{ prediction: null }, 'no_answer', null],
    [{}, 'no_answer', null],
    [{ prediction: ' ' }, 'no_answer', ' '],
    [{ prediction: 3, abstained: 'false' }, 'abstained_is_no_boolean', 3],
    [{ prediction: 3, abstained: 0 }, 'abstained_is_no_boolean', 3],
    [{ prediction: 3, abstained: null }, 'abstained_is_no_boolean', 3],
    [{ prediction: '3', abstained: undefined }, 'abstained_missing', '3'],
  ])('%j is invalid: %s', (entry, invalid, prediction) => {
    expect(read(entry)).toEqual({ prediction, abstained: false, confidence: 0.5, invalid });
  });

  it('reads no prediction where the model abstains', () => {
    for (const prediction of [null, 3, 'nonsense', {}]) {
      expect(read({ prediction, abstained: true, confidence: null })).toEqual({
        prediction: null,
        abstained: true,
        confidence: null,
      });
    }
  });

  it('keeps the confidence of an abstention: the chance that the answer withheld was right', () => {
    expect(read({ prediction: null, abstained: true, confidence: 0.4 }).confidence).toBe(0.4);
  });

  it.each([
    ['data_missing', 'data_missing'],
    [' Data_Missing ', 'data_missing'],
    ['missing_creatinine', null],
    ['the creatinine of Mrs Miller is missing', null],
    ['', null],
    [null, null],
    [{}, null],
  ])('reads the reason %j for deferring as %j, and the row stays valid', (reason, expected) => {
    const answer = read({ prediction: null, abstained: true, reason });
    expect(answer.invalid).toBeUndefined();
    expect(answer.deferralReason ?? null).toBe(expected);
  });

  it("reads the task's own reasons where the arm gives the rule", () => {
    const deferralReasons = { missing_creatinine: { general: 'data_missing' } } as const;
    const entry = { prediction: null, abstained: true, reason: 'missing_creatinine' };
    const reason = (defaultArm: string) =>
      readAnswer(entry, { labels, defaultArm, deferralReasons }).deferralReason ?? null;
    expect([reason('instructed'), reason('natural')]).toEqual(['missing_creatinine', null]);
  });

  it('reads no reason for deferring where the model answers', () => {
    expect(read({ prediction: 3, reason: 'uncertain' })).toEqual({
      prediction: 3,
      abstained: false,
      confidence: 0.5,
    });
  });

  it.each([
    [0, 0],
    [1, 1],
    [85, 85],
    [-0.1, -0.1],
    ['0.9', null],
    ['90%', null],
    [true, null],
    [Infinity, null],
    [null, null],
    [undefined, null],
  ])('reads a confidence of %j as %j, and the answer stays valid', (confidence, expected) => {
    expect(read({ prediction: 3, confidence })).toEqual({
      prediction: 3,
      abstained: false,
      confidence: expected,
    });
  });

  it('reads booleans, and their text, where the labels are booleans', () => {
    const task = { labels: [true, false] };
    for (const prediction of [true, 'true', 'True', 1])
      expect(read({ prediction }, task).prediction).toBe(true);
    for (const prediction of [false, 'false', 0]) expect(read({ prediction }, task).prediction).toBe(false);
  });

  it('reads own properties only', () => {
    const entry = Object.create({ abstained: false, prediction: 3 });
    expect(readAnswer(entry, { labels }).invalid).toBe('abstained_missing');
  });
});
