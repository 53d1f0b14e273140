import { describe, expect, it } from 'vitest';
import { withoutReasoning } from './text-request.ts';

describe('withoutReasoning', () => {
  it.each([
    ['a block that opens the reply', '\uFEFF \n<think>hm</think>yes', 'yes'],
    ['up to the first closing tag only', '<think>a</think>b</think>c', 'b</think>c'],
  ])('blanks %s', (_, reply, rest) => {
    const blanked = withoutReasoning(reply);
    expect(blanked).toHaveLength(reply.length);
    expect(blanked.trim()).toBe(rest);
  });

  it.each([
    ['a reply without tags', 'yes'],
    ['a block after other text', 'yes<think>hm</think>'],
    ['a block that does not end', '<think>hm yes'],
    ['a closing tag that nothing opened', 'hm, so</think>yes'],
    ['other tags', '<thinking>hm</thinking>[THINK]a[/THINK]<reasoning>b</reasoning>yes'],
  ])('leaves %s', (_, reply) => {
    expect(withoutReasoning(reply)).toBe(reply);
  });

  it('ends on a reply of nothing but opening tags', () => {
    const reply = '<think>'.repeat(100_000);
    expect(withoutReasoning(reply)).toBe(reply);
  });
});
