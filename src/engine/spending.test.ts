import { describe, expect, it } from 'vitest';
import { checkPrice, Spending, settledCost } from './spending.ts';

const spent = (settledUsd: number, unsettledUsd = 0) => ({ settledUsd, unsettledUsd, worstRatio: null });

const paid = async (spending: Spending, costUsd = 0) =>
  spending.settle(await spending.reserve('m', 0), costUsd);

describe('Spending', () => {
  it('begins no call that could pass the budget', async () => {
    const spending = new Spending(1, spent(0.9));
    await expect(spending.reserve('m', 0.3)).rejects.toThrow('budget of $1.00 is used up: $0.9000 spent');
    await spending.reserve('m', 0.1);
  });

  it('waits for calls in flight, which may leave room or not', async () => {
    const spending = new Spending(1, spent(0.5));
    const first = await spending.reserve('m', 0.3);
    const second = spending.reserve('m', 0.3);
    spending.settle(first, 0.1);
    const reservation = await second;
    const third = spending.reserve('m', 0.3);
    spending.settle(reservation, 0.3);
    await expect(third).rejects.toThrow('$0.1000 left, and the next call can cost up to $0.3000');
  });

  it('counts what was never settled as spent, and names it separately', async () => {
    const spending = new Spending(1, spent(0.5, 0.4));
    await expect(spending.reserve('m', 0.2)).rejects.toThrow(
      /\$0\.5000 spent, \$0\.4000 reserved for calls of an earlier process whose outcome is unknown, \$0\.1000 left/,
    );
  });

  it('never has more spent and set aside than the budget, whatever calls cost', async () => {
    const spending = new Spending(1, spent(0));
    let [total, inFlight] = [0, 0];
    const worker = async () => {
      for (;;) {
        const reservation = await spending.reserve('m', 0.09);
        inFlight += 0.09;
        expect(total + inFlight).toBeLessThanOrEqual(1 + 1e-9);
        await new Promise((resolve) => setImmediate(resolve));
        const cost = total % 0.02 > 0.01 ? 0.09 : 0.013;
        inFlight -= 0.09;
        total += cost;
        spending.settle(reservation, cost);
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: 64 }, worker));
    expect(ends.every((end) => end.status === 'rejected')).toBe(true);
    expect(total).toBeGreaterThan(0.9);
    expect(total).toBeLessThanOrEqual(1);
  });

  it('stops waiting when the run is stopped', async () => {
    const spending = new Spending(1, spent(0));
    const stop = new AbortController();
    const first = await spending.reserve('m', 1);
    const waiting = spending.reserve('m', 1, stop.signal);
    stop.abort();
    spending.settle(first, 0);
    await expect(waiting).rejects.toThrow('aborted');
  });

  it('sends out the first call to each model alone, until one was paid for', async () => {
    const spending = new Spending(1, spent(0));
    const begun: string[] = [];
    const begin = (model: string) =>
      spending.reserve(model, 0.01).then((reservation) => {
        begun.push(model);
        return reservation;
      });
    const [turnedAway, answered, ...rest] = [begin('m'), begin('m'), begin('m'), begin('m'), begin('judge')];
    const tick = () => new Promise((resolve) => setImmediate(resolve));
    await tick();
    expect(begun).toEqual(['m', 'judge']);
    spending.settle(await turnedAway!, null);
    await tick();
    expect(begun).toEqual(['m', 'judge', 'm']);
    spending.settle(await answered!, 0.001);
    await Promise.all(rest);
    expect(begun).toEqual(['m', 'judge', 'm', 'm', 'm']);
  });

  it('sets more aside once a call took more than it should at most, and says so', async () => {
    const spending = new Spending(1, spent(0));
    spending.settle(await spending.reserve('m', 0.05), 0.4, 8);
    expect(await spending.reserve('other', 0.05)).toMatchObject({ usd: 0.05 });
    expect(spending.mostFor('m', 0.01)).toBeCloseTo(0.08);
    const reservation = await spending.reserve('m', 0.05);
    expect(reservation.usd).toBeCloseTo(0.4);
    const next = spending.reserve('m', 0.05);
    spending.settle(reservation, 0.01);
    spending.settle({ model: 'other', usd: 0.05 }, 0.3);
    await expect(next).rejects.toThrow(/up to \$0\.4000 \(an earlier call took 8\.0 times the tokens/);
  });

  it('remembers from an earlier process that calls took more than they should', async () => {
    const spending = new Spending(1, { ...spent(0), worstRatio: 4 });
    expect((await spending.reserve('m', 0.1)).usd).toBeCloseTo(0.4);
    const tampered = new Spending(1, { ...spent(0), worstRatio: 1e9 });
    expect((await tampered.reserve('m', 0.1)).usd).toBeCloseTo(1);
  });

  it('takes a reply of a bulk job, which is paid for, even without room', async () => {
    const spending = new Spending(1, spent(0.95));
    await paid(spending);
    spending.settle(spending.reservePaid('m', 0.3), 0.3);
    await expect(spending.reserve('m', 0.01)).rejects.toThrow('$1.25 spent');
  });
});

describe('settledCost', () => {
  const cost = ({ inputTokens, outputTokens }: Record<string, number | null>) =>
    inputTokens === null || outputTokens === null ? null : (inputTokens! + outputTokens!) / 1e6;
  const settle = (inputTokens: number | null, outputTokens: number | null, more = {}) =>
    settledCost(
      { usage: { inputTokens, outputTokens }, hasText: true, unbilled: false, ...more },
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
  ])('is what was set aside where the usage is %s', (_, input, output) => {
    expect(settle(input, output)).toEqual({ costUsd: 0.0011, costBasis: 'reserve' });
  });

  it('is nothing where the provider turned the call away', () => {
    expect(settle(null, null, { unbilled: true })).toEqual({ costUsd: 0, costBasis: 'nothing' });
  });

  it('is unknown where no price is known', () => {
    const call = { usage: { inputTokens: null, outputTokens: null }, hasText: true, unbilled: false };
    expect(settledCost(call, null, undefined)).toEqual({ costUsd: null, costBasis: null });
  });
});

describe('checkPrice', () => {
  const backend = (more: object) => ({ name: 'p/m', ...more }) as never;
  const withCode = (code: string) => expect.objectContaining({ code });

  it('refuses a budget where no price is known', () => {
    expect(() => checkPrice(backend({}))).toThrow(withCode('ERR_PRICE_UNKNOWN'));
    expect(() => checkPrice(backend({ cost: () => null }))).toThrow(withCode('ERR_PRICE_UNKNOWN'));
  });

  it('refuses a budget where the most that a call can take is not known', () => {
    expect(() => checkPrice(backend({ cost: () => 0.1 }))).toThrow(withCode('ERR_COST_UNBOUNDED'));
    checkPrice(backend({ cost: () => 0.1, maxTokens: () => ({ inputTokens: 1, outputTokens: 1 }) }));
  });
});
