import type { PromptMessage, TextRequest, TokenUsage } from '../../core/text-request.ts';
import { ownError } from '../backend-error.ts';
import type { completeOptions } from './api-options.ts';
import { Captured } from './bulk/find-bulk-wire.ts';
import type { Exchange } from './bulk/wire.ts';
import { type ModelReply, statedRefusal } from './model-reply.ts';
import { type CallContext, toBackendError } from './provider-error.ts';
import type { AskModel } from './providers/provider.ts';
import { withoutKeys } from './without-keys.ts';

/** Asks one question whose reply is text. A truncated reply is an error, never read. */
export async function askText(
  request: TextRequest,
  ask: AskModel,
  options: ReturnType<typeof completeOptions>,
  context: CallContext,
  exchange?: Exchange,
): Promise<ModelReply> {
  const { model } = context;
  const { messages, template, schema } = request;
  const limits = {
    maxOutputTokens: request.maxOutputTokens ?? options.maxOutputTokens,
    reasoning: options.reasoningEffort ?? 'provider-default',
    // Without a label to look for, as in a text, tokens are of no use.
    logprobs: options.logprobs === true && schema !== undefined,
  } as const;
  const question = {
    messages,
    schema: options.structuredOutput ? schema : undefined,
    temperature: options.temperature,
    limits,
  };
  const {
    reply: read,
    body,
    ignored,
  } = await ask(question, exchange).catch((error: unknown) => {
    if (error instanceof Captured) throw error;
    const removeQuotes = (text: string) => withoutQuotes(text, messages, template);
    throw toBackendError(error, { ...context, withoutQuotes: removeQuotes });
  });
  // A refusal has a field of its own with some providers, and takes tokens like any text.
  const written = [read.text, statedRefusal(body) ?? ''];
  const usage = possibleUsage(read.usage, messages, written);
  const reply = withoutKeysIn({ ...read, usage }, context);
  const { text: rawResponse } = reply;
  if (ignored !== null) throw ownError('bad_request', `${model}: ${ignored}`, { usage });
  if (reply.refusal !== null || reply.end === 'complete') return reply;
  if (reply.end === 'failed')
    throw ownError('server', `${model}: the provider aborted the reply with an error`, { usage });
  throw ownError(
    'truncated',
    `${model}: the reply was cut off; raise maxOutputTokens (now ${options.maxOutputTokens} per case) or lower the batch size`,
    { usage, rawResponse },
  );
}

/** Usage without counts that are too small for the texts that were sent and received. */
function possibleUsage(
  { inputTokens, outputTokens }: TokenUsage,
  messages: TextRequest['messages'],
  written: readonly string[],
): TokenUsage {
  const unlessBelow = (tokens: number | null, texts: readonly string[]) =>
    tokens === null || isBelowMinimum(tokens, texts) ? null : tokens;
  const asked = messages.map(({ content }) => content);
  return { inputTokens: unlessBelow(inputTokens, asked), outputTokens: unlessBelow(outputTokens, written) };
}

/** A gateway can repeat the request, with its key, in any part of a reply. */
function withoutKeysIn(reply: ModelReply, { secrets }: CallContext): ModelReply {
  const { text, refusal, modelId } = reply;
  return {
    ...reply,
    text: withoutKeys(text, secrets),
    refusal: refusal && withoutKeys(refusal, secrets),
    modelId: modelId && withoutKeys(modelId, secrets),
  };
}

/**
 * The most bytes of text that a token stands for on average. Measured with OpenAI's vocabularies (o200k, cl100k): 4 bytes in English, 9 at most in natural text (Tamil), and 14.5
 * over the thousand longest English tokens. Runs of one character are the exception: 128 spaces can be one token.
 */
const MAX_BYTES_PER_TOKEN = 16;

/** The fewest tokens that texts can take, whatever the tokenizer. */
export function minTokens(texts: readonly string[]): number {
  return countBytes(texts.map(foldRuns)) / MAX_BYTES_PER_TOKEN;
}

/** Whether texts take more tokens than a provider says. Runs are looked for only where a count seems too small. */
export function isBelowMinimum(tokens: number, texts: readonly string[]): boolean {
  return tokens < countBytes(texts) / MAX_BYTES_PER_TOKEN && tokens < minTokens(texts);
}

function countBytes(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function foldRuns(text: string): string {
  return text.replace(/(\s)\s+/g, '$1').replace(/(.)\1{3,}/gsu, '$1$1$1');
}

/** Text of this length that also occurs in the question is a quote, not a coincidence. */
const WINDOW = 8;

/**
 * Removes quotes of the question from a provider's message: error texts are stored and shown, patient data must not be. Text that occurs in the messages but not in their
 * template becomes `[case]`.
 */
export function withoutQuotes(
  text: string,
  messages: readonly PromptMessage[],
  template: readonly PromptMessage[],
): string {
  const asked = new Set(windows(messages));
  for (const window of windows(template)) asked.delete(window);
  const flat = flatten(text);
  let kept = '';
  let end = 0;
  for (let i = 0; i < flat.length; i++) {
    // A letter is quoted when any window that contains it is.
    if (asked.has(flat.slice(i, i + WINDOW).toLowerCase())) {
      if (i >= end) kept += '[case]';
      end = i + WINDOW;
    }
    if (i >= end) kept += flat[i];
  }
  return kept;
}

function* windows(messages: readonly PromptMessage[]): Generator<string> {
  for (const { content } of messages) {
    const text = flatten(content);
    for (let i = 0; i + WINDOW <= text.length; i++) yield text.slice(i, i + WINDOW).toLowerCase();
  }
}

/** Normalises white space and JSON escapes, even repeated ones. */
function flatten(text: string): string {
  return text
    .replace(/\\+u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+(["\\/])/g, '$1')
    .replace(/(\\+[nrt]|\s)+/g, ' ');
}
