import { expect, it } from 'vitest';
import { cachedRepliesText } from './execution.ts';

const NIGHT = '2026-11-18T01:12:30.000Z';
const text = (n_cache_hits: number | null, n_replies: number | null, oldest_cache_hit: string | null) =>
  cachedRepliesText({ n_cache_hits, n_replies, oldest_cache_hit });

it('counts replies from the cache, with the age of the oldest', () => {
  expect(text(60, 60, NIGHT)).toBe('60 of 60 replies come from the cache (oldest from 2026-11-18 01:12 UTC)');
  expect(text(1, 60, NIGHT)).toBe('1 of 60 replies comes from the cache (from 2026-11-18 01:12 UTC)');
  expect(text(1, 1, NIGHT)).toBe('1 of 1 reply comes from the cache (from 2026-11-18 01:12 UTC)');
});

it('says what a run does not say, and nothing where no reply is cached', () => {
  expect(text(6, null, null)).toBe('6 replies come from the cache (of unknown age)');
  expect([text(0, 60, null), text(null, null, null)]).toEqual([null, null]);
});
