/** One message of a prompt as it is stored: the template, with the slot for patient data still marked. */
export interface PromptMessage {
  readonly role: 'system' | 'user';
  readonly content: string;
}

/** What a call took. Null where the provider does not say. */
export interface TokenUsage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** A question whose answer is text: an open question, or one to a judge. */
export interface TextRequest {
  /** What is sent. */
  readonly messages: readonly PromptMessage[];
  /** What is stored: the same with its slots still marked. */
  readonly template: readonly PromptMessage[];
  /** The JSON schema of the reply, where it is to have one. */
  readonly schema?: object;
  /** In place of the backend's own cap for one record. */
  readonly maxOutputTokens?: number;
}

export interface TextReply extends TokenUsage {
  readonly text: string;
  readonly modelId?: string;
  /** Set when the model refused on grounds of policy. */
  readonly refused?: true;
}
