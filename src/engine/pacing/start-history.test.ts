import { describe, expect, it } from 'vitest';
import { type Start, StartHistory } from './learned-rate.ts';

const NO_BURST = { n: 0, span: 0 };

function startEvery(history: StartHistory, interval: number, from: number, until: number): Start {
  let last = history.add(from);
  for (let now = from + interval; now <= until; now += interval) last = history.add(now);
  return last;
}

describe('the history of starts', () => {
  it('numbers them', () => {
    const history = new StartHistory();
    expect([history.add(0), history.add(0), history.add(7)]).toEqual([
      { at: 0, index: 0 },
      { at: 0, index: 1 },
      { at: 7, index: 2 },
    ]);
    expect(history.n).toBe(3);
  });

  it('measures an even rate, fast or slow', () => {
    for (const interval of [0.5, 5, 700]) {
      const history = new StartHistory();
      const refused = startEvery(history, interval, 0, 100 * interval + 10_000);
      expect(history.rateBefore(refused, 0, NO_BURST, 500)).toBeCloseTo(1000 / interval);
    }
  });

  it('finds the rate of a bucket that let pass a burst and then that rate', () => {
    // At 400 per second a bucket of 20 and 200 per second is empty after 100 ms.
    const history = new StartHistory();
    startEvery(history, 20, 0, 1000);
    const refused = startEvery(history, 2.5, 1020, 1320);
    const whole = history.rateBefore(refused, 0, { n: 60, span: 0 }, 250);
    expect(whole).toBeCloseTo((120 - 60) / 0.3, 0);
    expect(history.rateBefore(refused, 0, { n: 80, span: 100 }, 150)).toBeCloseTo((120 - 80) / 0.2, 0);
  });

  it('looks at no span that is too short, or begins before the cycle', () => {
    const history = new StartHistory();
    startEvery(history, 1, 0, 1000);
    const { index } = history.add(5000);
    const refused = startEvery(history, 100, 5100, 6000);
    expect(history.rateBefore(refused, index, NO_BURST, 500)).toBeCloseTo(10);
    expect(history.rateBefore(refused, index, NO_BURST, 2000)).toBe(0);
    expect(history.rateBefore(refused, 0, NO_BURST, 500)).toBeGreaterThan(100);
  });

  it('forgets what is long past', () => {
    const history = new StartHistory();
    startEvery(history, 1, 0, 1000);
    const refused = startEvery(history, 100, 1100, 9000);
    expect(history.rateBefore(refused, 0, NO_BURST, 500)).toBeCloseTo(10);
  });
});
