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
    [
      'tags with attributes and prefixes',
      '<thinking type="long">a</thinking>b<seed:think>c</seed:think>',
      'b',
      false,
    ],
    ['tags of other families', '[THINK]a[/THINK]b◁think▷c◁/think▷d<scratchpad>e</scratchpad>', 'bd', false],
    ['other tags', '<b>yes</b><thinker>', '<b>yes</b><thinker>', false],
  ])('%s', (_, reply, text, unclosed) => {
    const blanked = withoutReasoning(reply, '_');
    expect({ ...blanked, text: blanked.text.replaceAll('_', '') }).toEqual({ text, unclosed });
    expect(blanked.text).toHaveLength(reply.length);
  });

  it('leaves what it keeps where it was', () => {
    expect(withoutReasoning('<think>a</think>{} <think>b</think>{}').text).toBe(
      '                {}                 {}',
    );
  });
});
