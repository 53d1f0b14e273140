import { describe, expect, it } from 'vitest';
import { checkPrice, Spending, settledCost } from './spending.ts';

const spent = (settledUsd: number, unsettledUsd = 0) => ({ settledUsd, unsettledUsd });

describe('Spending', () => {
  it('begins no call that could pass the budget', async () => {
    const spending = new Spending(1, spent(0.9));
    await expect(spending.reserve(0.3)).rejects.toThrow('budget of $1.00 is used up: $0.9000 spent');
    await spending.reserve(0.1);
  });

  it('waits for calls in flight, which may leave room or not', async () => {
    const spending = new Spending(1, spent(0.5));
    await spending.reserve(0.3);
    const second = spending.reserve(0.3);
    spending.settle(0.3, 0.1);
    await second;
    const third = spending.reserve(0.3);
    spending.settle(0.3, 0.3);
    await expect(third).rejects.toThrow('$0.1000 left, and the next call can cost up to $0.3000');
  });

  it('counts what was never settled as spent, and names it separately', async () => {
    const spending = new Spending(1, spent(0.5, 0.4));
    await expect(spending.reserve(0.2)).rejects.toThrow(
      /\$0\.5000 spent, \$0\.4000 unsettled .*, \$0\.1000 left/,
    );
  });

  it('never has more spent and set aside than the budget, whatever calls cost', async () => {
    const spending = new Spending(1, spent(0));
    let [paid, inFlight] = [0, 0];
    const worker = async () => {
      for (;;) {
        await spending.reserve(0.09);
        inFlight += 0.09;
        expect(paid + inFlight).toBeLessThanOrEqual(1 + 1e-9);
        await new Promise((resolve) => setImmediate(resolve));
        const cost = paid % 0.02 > 0.01 ? 0.09 : 0.013;
        inFlight -= 0.09;
        paid += cost;
        spending.settle(0.09, cost);
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: 64 }, worker));
    expect(ends.every((end) => end.status === 'rejected')).toBe(true);
    expect(paid).toBeGreaterThan(0.9);
    expect(paid).toBeLessThanOrEqual(1);
  });

  it('stops waiting when the run is stopped', async () => {
    const spending = new Spending(1, spent(0));
    const stop = new AbortController();
    await spending.reserve(1);
    const waiting = spending.reserve(1, stop.signal);
    stop.abort();
    spending.settle(1, 0);
    await expect(waiting).rejects.toThrow('aborted');
  });
});

describe('settledCost', () => {
  const most = { inputTokens: 1000, outputTokens: 100 };
  const cost = ({ inputTokens, outputTokens }: Record<string, number | null>) =>
    inputTokens === null || outputTokens === null ? null : (inputTokens! + outputTokens!) / 1e6;
  const settle = (inputTokens: number | null, outputTokens: number | null, more = {}) =>
    settledCost(
      { usage: { inputTokens, outputTokens }, hasText: true, unbilled: false, ...more },
      most,
      0.0011,
      cost as never,
    );

  it('follows the usage that the provider reports', () => {
    expect(settle(500, 20)).toEqual({ costUsd: 0.00052, costBasis: 'usage' });
    expect(settle(500, 0, { hasText: false })).toEqual({ costUsd: 0.0005, costBasis: 'usage' });
  });

  it.each([
    ['missing', null, null],
    ['half missing', 500, null],
    ['zero', 0, 0],
    ['zero for a reply with text', 500, 0],
    ['negative', -500, 20],
    ['not a number', Number.NaN, 20],
    ['infinite', Number.POSITIVE_INFINITY, 20],
    ['absurd', 500, 1e9],
  ])('is what was set aside where the usage is %s', (_, input, output) => {
    expect(settle(input, output)).toEqual({ costUsd: 0.0011, costBasis: 'reserve' });
  });

  it('is nothing where the provider turned the call away', () => {
    expect(settle(null, null, { unbilled: true })).toEqual({ costUsd: 0, costBasis: 'nothing' });
  });

  it('is unknown where no price is known', () => {
    const call = { usage: { inputTokens: null, outputTokens: null }, hasText: true, unbilled: false };
    expect(settledCost(call, null, null, undefined)).toEqual({ costUsd: null, costBasis: null });
  });
});

describe('checkPrice', () => {
  const backend = (more: object) => ({ name: 'p/m', ...more }) as never;
  const codeOf = (code: string) => expect.objectContaining({ code });

  it('refuses a budget where no price is known', () => {
    expect(() => checkPrice(backend({}))).toThrow(codeOf('ERR_PRICE_UNKNOWN'));
    expect(() => checkPrice(backend({ cost: () => null }))).toThrow(codeOf('ERR_PRICE_UNKNOWN'));
  });

  it('refuses a budget where the most that a call can take is not known', () => {
    expect(() => checkPrice(backend({ cost: () => 0.1 }))).toThrow(codeOf('ERR_COST_UNBOUNDED'));
    checkPrice(backend({ cost: () => 0.1, maxTokens: () => ({ inputTokens: 1, outputTokens: 1 }) }));
  });
});
