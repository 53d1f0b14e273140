import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { whenCaughtUp, yieldBetweenReplies } from './pool-fetch.ts';

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

describe('whenCaughtUp', () => {
  it('sends at once where little is left to handle, and otherwise a few per turn after that', async () => {
    const seen: string[] = [];
    whenCaughtUp(() => seen.push('sent'));
    expect(seen).toEqual(['sent']);
    for (let i = 0; i < 12; i++) yieldBetweenReplies(() => seen.push('handled'));
    for (let i = 0; i < 6; i++) whenCaughtUp(() => seen.push('sent'));
    const turns: string[] = [];
    for (let i = 0; i < 4; i++) {
      seen.length = 0;
      await turn();
      turns.push(seen.join(' '));
    }
    const four = (what: string) => Array.from({ length: 4 }, () => what).join(' ');
    expect(turns).toEqual([
      four('handled'),
      `${four('handled')} ${four('sent')}`,
      `${four('handled')} sent sent`,
      '',
    ]);
  });
});
