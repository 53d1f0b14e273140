import { describe, expect, it } from 'vitest';
import { casesText, compact, decimals, percent, whole } from './number-text.ts';

describe('numbers as text', () => {
  it('has three decimals, and no minus before a zero', () => {
    expect([decimals(0.5), decimals(-0.0001), decimals(-0.25), decimals(0.123, 2)]).toEqual([
      '0.500',
      '0.000',
      '-0.250',
      '0.12',
    ]);
  });

  it('sets thousands apart', () => {
    expect([0, 999, 1000, 1234567].map(whole)).toEqual(['0', '999', '1,000', '1,234,567']);
  });

  it('is short where there is little room', () => {
    expect([9, 9999, 10_000, 123_456, 2_500_000].map(compact)).toEqual(['9', '9999', '10k', '123k', '2.5M']);
  });

  it('keeps a number and its sign on one line', () => {
    expect(percent(0.1234)).toBe('12.3\u00a0%');
  });

  it('counts rows', () => {
    expect([1, 2000].map(casesText)).toEqual(['1 case', '2,000 cases']);
  });
});
