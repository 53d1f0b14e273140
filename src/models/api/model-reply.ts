import { type TokenUsage, tokenCount } from '../../core/text-request.ts';

/** A token of a reply with its log-probability, and the tokens that could have been in its place. */
export interface ReplyToken {
  readonly text: string;
  readonly logprob: number;
  readonly others: readonly Pick<ReplyToken, 'text' | 'logprob'>[];
}

/** The parts of a model's result that Krisis uses, in one form for all providers. */
export interface ModelReply {
  /** Without the model's reasoning. */
  readonly text: string;
  readonly end: 'complete' | 'cut' | 'failed';
  /** The text of a refusal, or the provider's reason for it; null when the model did not refuse. */
  readonly refusal: string | null;
  readonly usage: TokenUsage;
  readonly modelId: string | null;
  /** The tokens of `text`, where they were asked for and the provider gives them. Default: null. */
  readonly tokens?: readonly ReplyToken[] | null;
}

/** Parts of the providers' bodies that the SDKs drop. Unvalidated. */
export interface WireBody {
  /** Responses API. */
  readonly status?: unknown;
  readonly incomplete_details?: { readonly reason?: string } | null;
  readonly output?: readonly ({
    readonly content?: readonly ({ readonly refusal?: unknown; readonly logprobs?: unknown } | null)[] | null;
  } | null)[];
  /** Chat completions. */
  readonly choices?: readonly {
    readonly message?: { readonly refusal?: unknown };
    readonly logprobs?: { readonly content?: unknown } | null;
  }[];
  /** Anthropic. */
  readonly content?: readonly { readonly type?: unknown; readonly text?: unknown }[];
  /** The model that answered, as Google names it. */
  readonly modelVersion?: unknown;
}

/** The text of a reply that comes in parts: thoughts and calls of tools are none of it. */
export function textOfParts(parts: readonly { readonly type?: unknown; readonly text?: unknown }[]): string {
  return parts.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join('');
}

/** Ends that a server brought about, in its own words: `abort` is vLLM's. */
const SERVER_FAULTS: ReadonlySet<string | undefined> = new Set(['error', 'abort']);

/** A reply from its text, why it ended (in a word for all providers, and in the provider's own), its tokens, and its body. */
export function readReply(
  body: WireBody,
  text: string,
  end: string,
  providersEnd: string | undefined,
  usage: TokenUsage,
  model: unknown,
): ModelReply {
  // The Responses API gives the reason of an incomplete reply in a separate field, which its SDK does not pass on.
  const why = body.status === 'incomplete' ? body.incomplete_details?.reason : providersEnd;
  const isBlocked = end === 'content-filter' || why === 'content_filter';
  const isCut = end === 'length' || body.status === 'incomplete';
  const hasFailed = end === 'error' || SERVER_FAULTS.has(providersEnd) || body.status === 'failed';
  return {
    text,
    end: isCut ? 'cut' : hasFailed ? 'failed' : 'complete',
    refusal: statedRefusal(body) ?? (isBlocked ? text || `[blocked: ${why}]` : null),
    usage,
    modelId: [model, body.modelVersion].find((name) => typeof name === 'string') ?? null,
    tokens: replyTokens(body),
  };
}

/** OpenAI's refusal field, in either of its APIs. */
export function statedRefusal(body: unknown): string | null {
  const { choices, output } = (body ?? {}) as WireBody;
  const stated = [
    choices?.[0]?.message?.refusal,
    ...(output ?? []).flatMap((item) => (item?.content ?? []).map((part) => part?.refusal)),
  ];
  return stated.find((value): value is string => typeof value === 'string' && value !== '') ?? null;
}

/** The counts of a reply. No question takes 0 tokens, or fewer: such a count means that tokens were not counted. */
export function countedTokens(input: unknown, output: unknown): TokenUsage {
  const inputTokens = tokenCount(input) || null;
  const outputTokens = tokenCount(output);
  return { inputTokens, outputTokens: inputTokens === null ? outputTokens || null : outputTokens };
}

/** The tokens of a reply, from chat completions or the Responses API; null where the provider gives none. */
export function replyTokens(body: unknown): readonly ReplyToken[] | null {
  const { choices, output } = (body ?? {}) as WireBody;
  const items: NonNullable<WireBody['output']> = Array.isArray(output) ? output : [];
  const listed: unknown =
    choices?.[0]?.logprobs?.content ??
    items.flatMap((item) => (item?.content ?? []).flatMap((part) => part?.logprobs ?? []));
  if (!Array.isArray(listed) || listed.length === 0) return null;
  const tokens = listed.map(readToken);
  return tokens.every((token) => token !== null) ? tokens : null;
}

function readToken(value: unknown): ReplyToken | null {
  const { token, logprob, top_logprobs: top } = (value ?? {}) as Record<string, unknown>;
  if (typeof token !== 'string' || typeof logprob !== 'number' || !(logprob <= MAX_LOGPROB)) return null;
  const others = (Array.isArray(top) ? top : []).flatMap((other) => {
    const found = readToken({ ...other, top_logprobs: [] });
    return found === null || found.text === token ? [] : [{ text: found.text, logprob: found.logprob }];
  });
  return { text: token, logprob, others };
}

/** Providers round: the logarithm of a probability can be a hair above 0. */
const MAX_LOGPROB = 1e-6;
