import { beforeEach, describe, expect, it } from 'vitest';
import type { Start } from './learned-rate.ts';
import { LearnedRate } from './learned-rate.ts';

let learned: LearnedRate;
let now: number;
beforeEach(() => {
  learned = new LearnedRate();
  now = 0;
});

/** Starts as soon as it is due. */
const start = (): Start => {
  now += Math.max(0, learned.wait(now));
  return learned.start(now);
};
const starts = (n: number): Start[] => Array.from({ length: n }, start);
const startFor = (milliseconds: number): Start => {
  const until = now + milliseconds;
  let last = start();
  while (now < until) last = start();
  return last;
};
/** Refused at once; then no call may start for a second. */
const refuse = (call: Start): boolean => {
  const isNews = learned.refused(call, now);
  now += 1000;
  return isNews;
};

describe('before any refusal', () => {
  it('there is no rate and no wait', () => {
    const last = starts(1000).at(-1);
    expect([now, last?.index, learned.perSecond, learned.wait(0)]).toEqual([0, 999, null, 0]);
  });
});

describe('a burst of which a part is refused', () => {
  it('is one refusal, also when other calls in flight are refused later', () => {
    const burst = starts(64);
    const news = burst.slice(20).map((call) => learned.refused(call, now));
    expect(news.filter(Boolean)).toHaveLength(1);
    now += 1000;
    const next = start();
    expect(learned.refused(burst[63]!, now)).toBe(false);
    expect(learned.refused(next, now)).toBe(true);
  });

  it('teaches a careful rate: what passed, once in the time until calls were allowed again', () => {
    const burst = starts(64);
    refuse(burst[20]!);
    start();
    expect(learned.perSecond).toBe(20);
    expect(learned.wait(now)).toBe(50);
  });

  it('counts a long silence as a minute at most', () => {
    const burst = starts(64);
    refuse(burst[20]!);
    now += 24 * 3_600_000;
    start();
    expect(learned.perSecond).toBeCloseTo(20 / 60);
  });

  it('is followed by a short pause, whatever the provider says', () => {
    const burst = starts(64);
    learned.refused(burst[20]!, now);
    expect(learned.wait(now)).toBe(100);
  });

  it('is followed by a search, whose end finds the rate beyond the burst', () => {
    // A bucket of 20 and 200 per second: empty when the starts since it was full exceed 20 + 200 per second.
    const burst = starts(64);
    refuse(burst[20]!);
    let level = 20;
    let call = start();
    for (let last = now; level >= 1; last = now) {
      call = start();
      level = Math.min(20, level + (now - last) * 0.2) - 1;
    }
    const before = learned.perSecond!;
    refuse(call);
    start();
    expect(before).toBeGreaterThan(300);
    expect(learned.perSecond).toBeGreaterThan(0.9 * 0.9 * 200);
    expect(learned.perSecond).toBeLessThan(0.9 * 1.05 * 200);
  });
});

describe('a refusal after a longer time', () => {
  it('teaches the rate of the last seconds of activity', () => {
    for (; now < 3000; now += 10) learned.start(now);
    refuse(learned.start(now));
    start();
    expect(learned.perSecond).toBeCloseTo(0.98 * 0.9 * 100, 0);
  });

  it('does not count a silence as activity', () => {
    for (; now < 3000; now += 10) learned.start(now);
    refuse(learned.start(now));
    now += 30_000;
    start();
    expect(learned.perSecond).toBeCloseTo(0.98 * 0.9 * 100, 0);
  });
});

describe('a learned rate', () => {
  beforeEach(() => {
    for (; now < 3000; now += 10) learned.start(now);
    refuse(learned.start(now));
  });

  it('grows back to where it was refused, and beyond', () => {
    startFor(2000);
    expect(learned.perSecond).toBeCloseTo(98, 0);
    startFor(4000);
    expect(learned.perSecond).toBeGreaterThan(150);
  });

  it('does not grow while it is not what holds calls back', () => {
    start();
    const before = learned.perSecond;
    for (let i = 0; i < 1000; i++) {
      now += 50;
      start();
    }
    expect(learned.perSecond).toBe(before);
  });

  it('does not grow while calls come in bunches that only meet it for a moment', () => {
    start();
    const before = learned.perSecond!;
    for (let i = 0; i < 100; i++) {
      starts(10);
      now += 900;
    }
    expect(learned.perSecond).toBeLessThan(1.05 * before);
  });

  it('falls by half at most when it is refused at once, and by a seventh at least', () => {
    starts(2);
    const call = start();
    const before = learned.perSecond!;
    refuse(call);
    start();
    const fallen = learned.perSecond! / 0.9;
    expect(fallen).toBeGreaterThanOrEqual(0.499 * before);
    expect(fallen).toBeLessThanOrEqual(0.851 * before);
  });

  it('rests longer the more often the limit is found where it was', () => {
    const timeToReach = (rate: number): number => {
      const from = now;
      let call = start();
      while (learned.perSecond! < rate) call = start();
      const took = now - from;
      refuse(call);
      return took;
    };
    const times = Array.from({ length: 4 }, () => timeToReach(101));
    expect(times[1]).toBeGreaterThan(2 * times[0]!);
    expect(times[2]).toBeGreaterThan(2 * times[1]!);
    expect(times[3]).toBeLessThan(60_000);
  });
});
