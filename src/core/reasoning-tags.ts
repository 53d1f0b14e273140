const OPENING_BLOCK = /^\s*<think>[\s\S]*?<\/think>/;

/**
 * Blanks the reasoning of a reply: a block that opens the reply with `<think>` and ends at its first `</think>`. The result is
 * as long as the reply, so that places in it are places in the reply. Any other tag is part of the reply.
 *
 * @example
 * ```ts
 * withoutReasoning('<think>a</think>{}') // => '                {}'
 * withoutReasoning('a <think>b</think>') // => 'a <think>b</think>'
 * ```
 */
export function withoutReasoning(reply: string): string {
  return reply.replace(OPENING_BLOCK, (block) => ' '.repeat(block.length));
}
