/** A reply with its reasoning blanked. */
interface WithoutReasoning {
  /** As long as the reply, so that places in it are places in the reply. */
  readonly text: string;
  /** True when reasoning began and never ended, so that the start of the answer is unknown. */
  readonly unclosed: boolean;
}

/** The tags in which models write their reasoning, with or without attributes. */
const TAG =
  /<(\/?)(?:[a-z]+:)?(?:think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad)(?:\s[^<>]*)?>|\[(\/?)think\]|◁(\/?)think▷/gi;

/**
 * Replaces the text between reasoning tags, and the tags, by `blank`. An unmatched closing tag ends reasoning that began with the reply: some models leave the opening tag
 * to the chat template. It passes over the tags once, so that a reply of nothing but opening tags takes no longer than any other.
 */
export function withoutReasoning(reply: string, blank = ' '): WithoutReasoning {
  const kept: string[] = [];
  let from = 0;
  let open = false;
  for (const tag of reply.matchAll(TAG)) {
    const closes = (tag[1] || tag[2] || tag[3]) === '/';
    const end = tag.index + tag[0].length;
    if (open && !closes) continue;
    if (closes && !open) kept.splice(0, kept.length, blank.repeat(tag.index));
    else kept.push(closes ? blank.repeat(tag.index - from) : reply.slice(from, tag.index));
    kept.push(blank.repeat(tag[0].length));
    open = !closes;
    from = end;
  }
  return { text: kept.join('') + reply.slice(from), unclosed: open };
}
