import { describe, expect, it } from 'vitest';
import type { Bucket } from '../traits/trait.ts';
import { parseBuckets } from './buckets.ts';

const three: ReadonlySet<Bucket> = new Set(['tp', 'fn', 'fp']);
const four: ReadonlySet<Bucket> = new Set(['tp', 'fn', 'fp', 'tn']);
const lists = { tp: ['x', 'x'], fn: ['y'], fp: [], tn: ['z'] };

describe('parseBuckets', () => {
  it('gives the lists as they are, repeats included', () => {
    expect(parseBuckets(JSON.stringify(lists), four)).toEqual({ ok: true, lists });
    expect(parseBuckets(`Here:\n\`\`\`json\n${JSON.stringify(lists)}\n\`\`\``, four)).toEqual({
      ok: true,
      lists,
    });
  });

  it('has nothing in a bucket that the trait does not have', () => {
    expect(parseBuckets(JSON.stringify(lists), three)).toEqual({ ok: true, lists: { ...lists, tn: [] } });
  });

  it.each([
    ['unreadable_no_json', 'none'],
    ['unreadable_cut_off', '{"tp": ["x'],
    ['no_tn', '{"tp": [], "fn": [], "fp": []}'],
    ['no_tp', '{"tp": "x", "fn": [], "fp": [], "tn": []}'],
    ['no_tp', '[]'],
    ['bad_fp', '{"tp": [], "fn": [], "fp": [1], "tn": []}'],
  ])('%s', (reason, text) => {
    expect(parseBuckets(text, four)).toEqual({ ok: false, reason });
  });
});
