/** A reply after its reasoning was removed. */
interface WithoutReasoning {
  readonly text: string;
  /** True when reasoning began and never ended, so that the start of the answer is unknown. */
  readonly unclosed: boolean;
}

const TAG = /<(\/?)(?:think|thinking|reasoning)>/gi;

/**
 * Removes the text between reasoning tags. An unmatched closing tag ends reasoning that began with the reply: some models leave the opening tag
 * to the chat template. It passes over the tags once, so that a reply of nothing but opening tags takes no longer than any other.
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
