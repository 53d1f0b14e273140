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
