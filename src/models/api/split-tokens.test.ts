import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitTokens } from './reply-rows.ts';

describe('splitTokens', () => {
  it('adds up, and differs by one token at most', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.integer({ min: 1, max: 64 }), (tokens, n) => {
        const shares = Array.from({ length: n }, (_, i) => splitTokens(tokens, i, n)!);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(tokens);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('makes nothing of what is not known', () => {
    expect(splitTokens(null, 0, 3)).toBeNull();
  });
});
