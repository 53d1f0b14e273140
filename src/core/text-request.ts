/** One message of a prompt. The stored form is the template, with its slot for patient data unfilled. */
export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** Tokens of a call. Null where the provider does not report them. */
export interface TokenUsage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** A question whose answer is text: an open question, or a question to a judge. */
export interface TextRequest {
  /** The messages to send. */
  readonly messages: readonly PromptMessage[];
  /** The messages to store: the same with the slots for data unfilled. */
  readonly template: readonly PromptMessage[];
  /** The JSON schema the reply must follow. Default: free text. */
  readonly schema?: object;
  /** The most tokens the reply may take. Default: the backend's own cap for one record. */
  readonly maxOutputTokens?: number;
}

/** A reply in text, with the tokens it took. */
export interface TextReply extends TokenUsage {
  /** The reply; for a refusal the model's words, or the provider's reason. */
  readonly text: string;
  /** The model as the provider names it. Default: not reported. */
  readonly modelId?: string;
  /** Set when the model refused for policy reasons. Default: it did not. */
  readonly refused?: true;
}

/** More than any model takes in one call. */
const MAX_TOKENS = 1e9;

/** A number of tokens as a provider or backend reports it; null unless it is a whole number that a call can take. */
export function tokenCount(value: unknown): number | null {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TOKENS ? Number(value) : null;
}

/** The JSON schema of an object. Strict structured output wants every property required and no other allowed. */
export function strictObject<T extends Record<string, object>>(properties: T) {
  return {
    type: 'object' as const,
    properties,
    required: Object.keys(properties),
    additionalProperties: false as const,
  };
}

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
