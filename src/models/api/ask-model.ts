import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { TextRequest, TokenUsage } from '../../core/index.ts';
import { batchResponseSchema, type ReplyForm, responseSchema, type Task } from '../../suites/index.ts';
import { ownError } from '../backend-error.ts';
import type { completeOptions } from './api-options.ts';
import { Captured } from './bulk/captured.ts';
import { ignoredOption } from './ignored-options.ts';
import { isBelowMinimum } from './min-tokens.ts';
import type { BuiltPrompt } from './prompt.ts';
import { type CallContext, toBackendError } from './provider-error.ts';
import type { ModelAccess } from './providers/provider.ts';
import { type ModelReply, readResult, statedRefusal } from './read-result.ts';
import { withoutKeys } from './without-keys.ts';
import { withoutQuotes } from './without-quotes.ts';

interface Asked {
  readonly language: LanguageModelV4;
  readonly callOptions: ModelAccess['callOptions'];
  readonly options: ReturnType<typeof completeOptions>;
  readonly context: CallContext;
}

/** The request that a prompt makes. */
export function requestOf(prompt: BuiltPrompt, task: Task, options: Asked['options']): TextRequest {
  const maxOutputTokens = prompt.caseIds.length * options.maxOutputTokens;
  return { ...prompt, schema: schemaOf(prompt, task, options), maxOutputTokens };
}

/** Asks one question whose reply is text. A truncated reply is an error, never read. */
export async function askText(
  request: TextRequest,
  { language, callOptions, options, context }: Asked,
): Promise<ModelReply> {
  const { model } = context;
  const { messages, template, schema } = request;
  const { temperature, reasoningEffort, structuredOutput } = options;
  const limits = {
    maxOutputTokens: request.maxOutputTokens ?? options.maxOutputTokens,
    reasoning: reasoningEffort ?? 'provider-default',
  } as const;
  // Without a label to look for, as in a text, tokens are of no use.
  const logprobs = options.logprobs === true && schema !== undefined;
  const generate = async () =>
    language.doGenerate({
      prompt: messages.map(({ role, content }) =>
        role === 'system' ? { role, content } : { role, content: [{ type: 'text', text: content }] },
      ),
      ...(schema && structuredOutput && { responseFormat: { type: 'json', name: 'answer', schema } }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(callOptions?.({ ...limits, logprobs }) ?? limits),
    });
  const result = await generate().catch((error: unknown) => {
    if (error instanceof Captured) throw error;
    const removeQuotes = (text: string) => withoutQuotes(text, messages, template);
    throw toBackendError(error, { ...context, withoutQuotes: removeQuotes });
  });
  const read = readResult(result);
  // A refusal has a field of its own with some providers, and takes tokens like any text.
  const written = [read.text, statedRefusal(result.response?.body) ?? ''];
  const usage = possibleUsage(read.usage, messages, written);
  const reply = withoutKeysIn({ ...read, usage }, context);
  const { text: rawResponse } = reply;
  const ignored = ignoredOption(result.warnings);
  if (ignored !== null) throw ownError('bad_request', `${model}: ${ignored}`, { usage });
  if (reply.refusal !== null || reply.end === 'complete') return reply;
  if (reply.end === 'failed')
    throw ownError('server', `${model}: the provider aborted the reply with an error`, { usage });
  throw ownError(
    'truncated',
    `${model}: the reply was cut off; raise maxOutputTokens (now ${options.maxOutputTokens} per row) or lower the batch size`,
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
  return {
    inputTokens: unlessBelow(
      inputTokens,
      messages.map(({ content }) => content),
    ),
    outputTokens: unlessBelow(outputTokens, written),
  };
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

/** The schema that the reply to a prompt must follow. */
export function schemaOf({ caseIds }: BuiltPrompt, task: Task, form: ReplyForm): object {
  return caseIds.length > 1 ? batchResponseSchema(task, form) : responseSchema(task, form);
}
