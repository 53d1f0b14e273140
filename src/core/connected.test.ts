import { describe, expect, it } from 'vitest';
import { connected } from './collections.ts';

describe('connected', () => {
  it('joins what links join, also through others and in any order', () => {
    expect([...connected(6, [])]).toEqual([0, 1, 2, 3, 4, 5]);
    expect([...connected(6, [[4, 5], [1, 2], [5, 1], []])]).toEqual([0, 1, 1, 2, 1, 1]);
    expect([...connected(3, [[2, 1, 0]])]).toEqual([0, 0, 0]);
    expect([...connected(0, [])]).toEqual([]);
  });
});
