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

/**
 * The turns that a run file stored with a question; null where it holds none, or something else.
 *
 * @example
 * ```ts
 * storedTurns([{ role: 'user', content: 'Hello' }]) // => [{ role: 'user', content: 'Hello' }]
 * storedTurns([{ role: 'system', content: 'Hello' }]) // => null
 * ```
 */
export function storedTurns(value: unknown): readonly Turn[] | null {
  return Array.isArray(value) && value.length > 0 && value.every(isTurn) ? value : null;
}

function isTurn(value: unknown): value is Turn {
  if (typeof value !== 'object' || value === null) return false;
  const { role, content } = value as { readonly role?: unknown; readonly content?: unknown };
  return (role === 'user' || role === 'assistant') && typeof content === 'string';
}
