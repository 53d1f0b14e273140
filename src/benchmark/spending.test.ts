import { describe, expect, it } from 'vitest';
import { checkPrice, Spending } from './spending.ts';

const backend = (cost?: () => number | null) => ({ name: 'p/m', ...(cost && { cost }) }) as never;

describe('Spending', () => {
  it('begins no call that would pass the budget, counting those under way', () => {
    const spending = new Spending(1, 0.5);
    const first = spending.reserve(0.3);
    expect(() => spending.reserve(0.3)).toThrow('budget of $1.00 is used up');
    spending.settle(first, 0.1);
    expect(spending.reserve(0.3)).toBe(0.3);
  });

  it('expects of the next call what calls have cost, where that is more than the estimate', () => {
    const spending = new Spending(1, 0);
    spending.settle(spending.reserve(0.01), 0.4);
    expect(spending.reserve(0.01)).toBe(0.4);
    expect(() => spending.reserve(0.01)).toThrow('--budget continues');
  });

  it('takes a call without a known cost for free, and does not learn from it', () => {
    const spending = new Spending(1, 0);
    spending.settle(spending.reserve(0.9), null);
    expect(spending.reserve(0.9)).toBe(0.9);
  });
});

describe('checkPrice', () => {
  it('refuses a budget where no price is known', () => {
    expect(() => checkPrice(backend())).toThrow('--price IN,OUT');
    expect(() => checkPrice(backend(() => null))).toThrow('no price is known');
    checkPrice(backend(() => 0.1));
  });
});
