import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { yieldBetweenReplies } from './yield-between-replies.ts';

describe('yieldBetweenReplies', () => {
  it('does all work in order, and yields in between', async () => {
    const seen: (number | string)[] = [];
    for (let i = 0; i < 10; i++) yieldBetweenReplies(() => seen.push(i));
    expect(seen).toEqual([]);
    for (let i = 0; i < 3; i++) {
      await turn();
      seen.push('turn');
    }
    expect(seen).toEqual([0, 1, 2, 3, 'turn', 4, 5, 6, 7, 'turn', 8, 9, 'turn']);
  });

  it('resumes after being idle, and accepts work added by work', async () => {
    const seen: string[] = [];
    yieldBetweenReplies(() => {
      seen.push('first');
      yieldBetweenReplies(() => seen.push('brought'));
    });
    await turn();
    await turn();
    yieldBetweenReplies(() => seen.push('later'));
    await turn();
    expect(seen).toEqual(['first', 'brought', 'later']);
  });
});
