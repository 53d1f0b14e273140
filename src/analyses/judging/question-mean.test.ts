import { describe, expect, it } from 'vitest';
import { wilsonInterval } from '../../statistics/proportions.ts';
import { questionMean } from './question-mean.ts';

const values = (...given: [string, number][]) => given.map(([questionId, value]) => ({ questionId, value }));
const options = { level: 0.95, seed: 42, isShare: true };

describe('questionMean', () => {
  it('is a share with Wilson interval where every question has one answer', () => {
    const { value, nEvaluated: n, interval } = questionMean(values(['a', 1], ['b', 0], ['c', 1]), options);
    const [lower, upper] = wilsonInterval(2, 3)!;
    expect([value, n]).toEqual([2 / 3, 3]);
    expect(interval).toEqual({
      lower,
      upper,
      level: 0.95,
      method: 'wilson',
      resamples: null,
      unit: 'question',
    });
  });

  it('weighs questions alike, however often each was answered', () => {
    const {
      value,
      nEvaluated: n,
      interval,
    } = questionMean(values(['a', 1], ['a', 1], ['a', 1], ['b', 0], ['c', 1], ['d', 0]), options);
    expect([value, n]).toEqual([0.5, 4]);
    expect(interval).toMatchObject({ resamples: 2000, unit: 'question' });
    expect(interval!.lower).toBeLessThan(0.5);
    expect(interval!.upper).toBeGreaterThan(0.5);
  });

  it('does not depend on the order of the answers', () => {
    const scores = values(['a', 1], ['b', 3], ['c', 5], ['d', 4]);
    const drawn = (given: typeof scores) => questionMean(given, { ...options, isShare: false });
    expect(drawn(scores.toReversed())).toEqual(drawn(scores));
    expect(drawn(scores).interval).not.toBeNull();
  });

  it.each([
    ['nothing', [], 'value_undefined'],
    ['one question', [['a', 3]], 'too_few_questions'],
    [
      'questions that are all alike',
      [
        ['a', 3],
        ['b', 3],
      ],
      'no_variation_in_resamples',
    ],
  ] as [string, [string, number][], string][])('has no interval for %s', (_, given, reason) => {
    const score = questionMean(values(...given), { ...options, isShare: false });
    expect([score.interval, score.intervalReason]).toEqual([null, reason]);
  });
});
