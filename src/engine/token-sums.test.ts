import { describe, expect, it } from 'vitest';
import { response } from '../../test/engine-fixture.ts';
import { overrun, possibleUsage, sumTokens, withUsage } from './token-sums.ts';

const most = { inputTokens: 1000, outputTokens: 100 };
const usage = (inputTokens: number | null, outputTokens: number | null) => ({ inputTokens, outputTokens });

describe('token counts of a call', () => {
  it('add up over its rows', () => {
    const rows = [response({ inputTokens: 3, outputTokens: 1 }), null, response({ inputTokens: 4 })];
    expect(sumTokens(rows)).toEqual(usage(7, 1));
    expect(sumTokens([response()])).toEqual(usage(null, null));
  });

  it.each([0.001, -5, Number.NaN, Number.POSITIVE_INFINITY, 1e300, '7'])(
    'are unknown where one is %j',
    (count) => {
      const rows = [response({ inputTokens: 3 }), { ...response(), inputTokens: count as number }];
      expect(sumTokens(rows).inputTokens).toBeNull();
    },
  );

  it('are unknown above ten times what the call can take', () => {
    expect(possibleUsage(usage(10_000, 1000), most)).toEqual(usage(10_000, 1000));
    expect(possibleUsage(usage(10_001, 1001), most)).toEqual(usage(null, null));
    expect(possibleUsage(usage(10_001, null), null)).toEqual(usage(10_001, null));
  });

  it('are left out of its rows where they are unknown', () => {
    const row = response({ inputTokens: 3, outputTokens: 1, totalTokens: 4 });
    expect(withUsage([row, null], usage(3, 1))).toEqual([row, null]);
    expect(withUsage([row, null], usage(null, 1))).toEqual([
      { ...row, inputTokens: null, totalTokens: null },
      null,
    ]);
    const total = response({ totalTokens: 9 });
    expect(withUsage([total], usage(null, null))).toEqual([total]);
  });

  it('show by how much a call took more than it should at most', () => {
    expect(overrun(usage(500, 50), most)).toBe(1);
    expect(overrun(usage(500, 250), most)).toBe(2.5);
    expect(overrun(usage(500, 1e6), most)).toBe(10);
    expect(overrun(usage(null, null), most)).toBe(1);
    expect(overrun(usage(500, 250), null)).toBe(1);
  });
});
