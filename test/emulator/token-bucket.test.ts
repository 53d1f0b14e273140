import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenBucket } from './token-bucket.ts';

describe('a token bucket', () => {
  it('gives what it holds, then says how long until the next', () => {
    const bucket = tokenBucket(4, 2);
    expect([0, 0, 0, 125, 250].map((now) => bucket.take(now))).toEqual([0, 0, 0.25, 0.125, 0]);
  });

  it('never gives more than its burst and its rate allow', () => {
    const gaps = fc.array(fc.nat(400), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(
        gaps,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 10 }),
        (pauses, rate, burst) => {
          const bucket = tokenBucket(rate, burst);
          let now = 0;
          let given = 0;
          for (const pause of pauses) {
            now += pause;
            if (bucket.take(now) === 0) given++;
            expect(given).toBeLessThanOrEqual(burst + (now / 1000) * rate + 1e-9);
          }
        },
      ),
    );
  });
});
