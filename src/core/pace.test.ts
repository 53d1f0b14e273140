import { describe, expect, it } from 'vitest';
import { durationText, pace } from './wording.ts';

describe('pace', () => {
  it('is that of this session', () => {
    expect(pace({ left: 300, done: 100, seconds: 20 })).toEqual({ perSecond: 5, secondsLeft: 60 });
    expect(pace({ left: 0, done: 100, seconds: 20 }).secondsLeft).toBe(0);
  });

  it('is unknown before anything is done', () => {
    for (const [done, seconds] of [
      [0, 20],
      [5, 0],
    ] as const)
      expect(pace({ left: 300, done, seconds })).toEqual({ perSecond: null, secondsLeft: null });
  });
});

it.each([
  [0, '0 s'],
  [59.4, '59 s'],
  [59.6, '1 min 00 s'],
  [125, '2 min 05 s'],
  [3725, '1 h 02 min'],
  [360_000, '100 h 00 min'],
])('%d seconds are %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
