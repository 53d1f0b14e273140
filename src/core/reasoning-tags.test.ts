import { describe, expect, it } from 'vitest';
import { withoutReasoning } from './reasoning-tags.ts';

describe('withoutReasoning', () => {
  it.each([
    ['a reply without tags', 'yes', 'yes', false],
    ['a block before the answer', '<think>hm</think>yes', 'yes', false],
    ['a block after the answer', 'yes<reasoning>hm</reasoning>', 'yes', false],
    ['several blocks, in any case', 'a<Think>x</THINK>b<thinking>y</thinking>c', 'abc', false],
    ['blocks inside blocks', '<think>a<think>b</think>c</think>yes', 'yes', false],
    ['a closing tag that nothing opened', 'hm, so</think>yes', 'yes', false],
    ['an opening tag that nothing closed', 'a<think>hm yes', 'ahm yes', true],
    ['other tags', '<b>yes</b>', '<b>yes</b>', false],
  ])('%s', (_, reply, text, unclosed) => {
    expect(withoutReasoning(reply)).toEqual({ text, unclosed });
  });
});
