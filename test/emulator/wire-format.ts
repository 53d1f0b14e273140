/** What a request asks, whichever provider's words it came in. */
export interface Question {
  readonly model: string;
  readonly system: string;
  /** All that the user says, as one text. */
  readonly text: string;
  readonly maxTokens: number | null;
  /** The JSON schema that the reply must follow, if any. */
  readonly schema: unknown;
  /** How many tokens to list at each place with their log-probabilities. Default: none. */
  readonly topLogprobs?: number | undefined;
  /** The tool that must be called with the reply as its input; null where the reply is text. */
  readonly tool: string | null;
}

/** What the model says, before a provider's form is put around it. */
export interface Reply {
  readonly text: string;
  /** The same as a value, for replies that are a tool's input; null when the text is no JSON. */
  readonly value: unknown;
  readonly finish: 'stop' | 'length' | 'refusal';
  /** What is said before the answer itself. */
  readonly preface: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** The same for the same prompt. */
  readonly id: string;
}

export type ProblemKind =
  | 'rate_limit'
  | 'overloaded'
  | 'server'
  | 'missing_key'
  | 'invalid_key'
  | 'forbidden'
  | 'quota'
  | 'unknown_model'
  | 'too_long'
  | 'bad_request';

/** Why there is no reply. */
export interface Problem {
  readonly kind: ProblemKind;
  /** Instead of the status that the provider itself would give. */
  readonly status?: number;
  readonly waitSeconds?: number;
  /** Said in the message, so that two failures of the same kind differ in their text. */
  readonly requestId?: string;
  readonly tokens?: { readonly prompt: number; readonly limit: number };
  /** Part of the request, for servers that quote it in their errors. */
  readonly quote?: string;
  /** What is wrong, where the kind does not tell. */
  readonly detail?: string;
}

interface WireError {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How one provider is spoken to. */
export interface WireFormat {
  readonly read: (body: unknown, path: string) => Question;
  readonly reply: (reply: Reply, question: Question) => object;
  readonly error: (problem: Problem, model: string) => WireError;
}

/** A content as text: it may be a text already, or a list of parts of which some have one. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: { text?: unknown }) => part.text)
    .filter((text) => typeof text === 'string')
    .join('\n');
}

/** What the messages of these roles say. */
export function said(
  messages: readonly { role?: string; content?: unknown }[],
  roles: readonly string[],
): string {
  return messages
    .filter(({ role }) => role !== undefined && roles.includes(role))
    .map(({ content }) => textOf(content))
    .join('\n');
}

/** A message with what a server may add to it. */
export function worded(message: string, { requestId, quote }: Problem): string {
  const id = requestId === undefined ? '' : ` (request id ${requestId})`;
  return `${message}${id}${quote === undefined ? '' : ` Request: ${quote}`}`;
}

/**
 * Whether the reply is the input of a tool. That input is a value: what is no JSON can only be said beside the tool, and of what was cut off nothing is left.
 */
export function isToolInput({ value, finish }: Reply, tool: string | null): tool is string {
  return tool !== null && finish !== 'refusal' && (value !== null || finish === 'length');
}
