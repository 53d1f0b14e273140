/** What is left of a reply when the reasoning is taken out. */
interface WithoutReasoning {
  readonly text: string;
  /** True when reasoning began and never ended: nobody knows where the answer starts. */
  readonly unclosed: boolean;
}

const TAG = /<(\/?)(?:think|thinking|reasoning)>/gi;

/**
 * A reply without what stands between reasoning tags. A closing tag that nothing opened ends reasoning that began with the reply, as some models leave the opening tag
 * to the chat template. One pass over the tags, so that a reply of nothing but opening tags takes no longer than another.
 */
export function withoutReasoning(reply: string): WithoutReasoning {
  let kept = '';
  let from = 0;
  let open = false;
  for (const tag of reply.matchAll(TAG)) {
    const closes = tag[1] === '/';
    if (open && !closes) continue;
    if (!closes) kept += reply.slice(from, tag.index);
    else if (!open) kept = '';
    open = !closes;
    from = tag.index + tag[0].length;
  }
  return { text: kept + reply.slice(from), unclosed: open };
}
