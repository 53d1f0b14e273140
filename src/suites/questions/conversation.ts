import type { PromptMessage } from '../../core/index.ts';

/** A turn of a conversation. */
export type Turn = PromptMessage & { readonly role: 'user' | 'assistant' };

const SPEAKERS = { user: 'User', assistant: 'Assistant' } as const;

/**
 * A conversation as one text, for judges and readers. A model is sent the turns themselves.
 *
 * @example
 * ```ts
 * conversationText([{ role: 'user', content: 'Hello' }, { role: 'assistant', content: 'Good morning' }])
 * // => 'User: Hello\n\nAssistant: Good morning'
 * ```
 */
export function conversationText(turns: readonly Turn[]): string {
  return turns.map(({ role, content }) => `${SPEAKERS[role]}: ${content}`).join('\n\n');
}
