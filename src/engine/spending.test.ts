import { describe, expect, it } from 'vitest';
import { checkPrice, Spending } from './spending.ts';

const backend = (cost?: () => number | null) => ({ name: 'p/m', ...(cost && { cost }) }) as never;

describe('Spending', () => {
  it('begins no call that would pass the budget', async () => {
    const spending = new Spending(1, 0.9);
    await expect(spending.reserve(0.3)).rejects.toThrow('budget of $1.00 is used up');
    expect(await spending.reserve(0.1)).toBe(0.1);
  });

  it('waits for a call in flight, which may leave room or not', async () => {
    const spending = new Spending(1, 0.5);
    const first = await spending.reserve(0.3);
    const second = spending.reserve(0.3);
    spending.book(first, 0.1);
    expect(await second).toBe(0.3);
    const third = spending.reserve(0.3);
    spending.book(0.3, 0.3);
    await expect(third).rejects.toThrow('raise the budget to continue');
  });

  it('expects of the next call what calls have cost, where that is more than the estimate', async () => {
    const spending = new Spending(0.9, 0);
    spending.book(await spending.reserve(0.01), 0.4);
    spending.book(await spending.reserve(0.01), 0.4);
    await expect(spending.reserve(0.01)).rejects.toThrow('about $0.4000');
  });

  it('takes a call without a known cost for free, and does not learn from it', async () => {
    const spending = new Spending(1, 0);
    spending.book(await spending.reserve(0.9), null);
    expect(await spending.reserve(0.9)).toBe(0.9);
  });
});

describe('checkPrice', () => {
  it('refuses a budget where no price is known', () => {
    expect(() => checkPrice(backend())).toThrow(expect.objectContaining({ code: 'ERR_PRICE_UNKNOWN' }));
    expect(() => checkPrice(backend(() => null))).toThrow(
      expect.objectContaining({ code: 'ERR_PRICE_UNKNOWN' }),
    );
    checkPrice(backend(() => 0.1));
  });
});
