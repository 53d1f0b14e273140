import { beforeEach, describe, expect, it } from 'vitest';
import { RefusalPattern } from './pacer.ts';

let pattern: RefusalPattern;
beforeEach(() => {
  pattern = new RefusalPattern();
});

type CallsLike = [n: number, rate: number, every: number];

/** Every third call is refused, or every `every`th. */
const calls = (n: number, rate: number, every = 3) => {
  for (let i = 0; i < n; i++) pattern.add({ rate, refused: i % every === 0 });
};

describe('refusals', () => {
  it('are unrelated to the rate when half of it changes nothing', () => {
    calls(12, Number.POSITIVE_INFINITY);
    expect(pattern.isUnrelatedToRate).toBe(false);
    calls(12, 10);
    expect(pattern.isUnrelatedToRate).toBe(true);
  });

  it.each<[string, CallsLike, CallsLike]>([
    ['half the rate makes them rarer', [12, 20, 3], [12, 10, 12]],
    ['the rate was not halved', [12, 15, 3], [12, 10, 3]],
    ['nearly all calls are refused', [12, 20, 1], [12, 10, 1]],
    ['they are rare', [40, 20, 20], [40, 10, 20]],
    ['too few calls were made', [4, 20, 3], [8, 10, 3]],
  ])('may be about the rate where %s', (_, fast, slow) => {
    calls(...fast);
    calls(...slow);
    expect(pattern.isUnrelatedToRate).toBe(false);
  });

  it('make a share of the latest calls', () => {
    calls(11, 10, 1);
    expect(pattern.latestShare).toBe(0);
    calls(24, 10, 4);
    expect(pattern.latestShare).toBe(0.25);
    pattern.clear();
    expect(pattern.latestShare).toBe(0);
  });
});
