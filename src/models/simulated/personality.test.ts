import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../core/errors.ts';
import { PERSONALITIES, parsePersonality } from './personality.ts';

describe('parsePersonality', () => {
  it('takes a personality as it is, or with changes', () => {
    expect(parsePersonality('careful')).toEqual(PERSONALITIES.careful);
    expect(parsePersonality('careful?accuracy=0.5&overconfidence=-1&latency_ms=40')).toEqual({
      ...PERSONALITIES.careful,
      accuracy: 0.5,
      overconfidence: -1,
      latency_ms: 40,
    });
  });

  it.each([
    ['nobody', 'no simulated model "nobody"; available: careful, overconfident, guesser, flaky'],
    ['', 'no simulated model ""'],
    ['constructor', 'no simulated model "constructor"'],
    ['careful?acuracy=1', 'no setting "acuracy"; did you mean accuracy?'],
    ['careful?toString=1', 'no setting "toString"'],
    ['careful?accuracy=1.1', 'accuracy is "1.1"; expected a number from 0 to 1'],
    ['careful?accuracy=-0.1', 'expected a number from 0 to 1'],
    ['careful?accuracy=high', 'accuracy is "high"'],
    ['careful?accuracy=', 'accuracy is ""'],
    ['careful?accuracy=%20', 'accuracy is " "'],
    ['careful?accuracy=0.8?spread=0', 'accuracy is "0.8?spread=0"'],
    ['careful?overconfidence=-1.5', 'expected a number from -1 to 1'],
    ['careful?latency_ms=-1', 'expected a number from 0 to 600000'],
  ])('refuses %s', (text, message) => {
    expect(() => parsePersonality(text)).toThrow(KrisisError);
    expect(() => parsePersonality(text)).toThrow(message);
  });
});
