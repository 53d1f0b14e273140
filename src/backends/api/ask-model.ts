import type { JSONSchema7, LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { batchResponseSchema, responseSchema, type Task } from '../../suites/task.ts';
import { BackendError } from '../backend-error.ts';
import type { completeOptions } from './api-options.ts';
import type { BuiltPrompt } from './prompt.ts';
import type { ModelAccess } from './provider.ts';
import { type CallContext, toBackendError } from './provider-error.ts';
import { type ModelReply, readResult } from './read-result.ts';
import { unheeded } from './unheeded.ts';
import { withoutQuotes } from './without-quotes.ts';

interface Asked {
  readonly language: LanguageModelV4;
  readonly callOptions: ModelAccess['callOptions'];
  readonly options: ReturnType<typeof completeOptions>;
  readonly context: CallContext;
}

/** Puts one question, once: whether to try again is for the engine to say. A reply that was cut is never read. */
export async function askModel(
  prompt: BuiltPrompt,
  task: Task,
  { language, callOptions, options, context }: Asked,
): Promise<ModelReply> {
  const { model } = context;
  const { temperature, reasoningEffort, maxOutputTokens } = options;
  const limits = {
    maxOutputTokens: rowsOf(prompt) * maxOutputTokens,
    reasoning: reasoningEffort ?? 'provider-default',
  } as const;
  const result = await generate(prompt, context, language, {
    prompt: prompt.messages.map(({ role, content }) =>
      role === 'system' ? { role, content } : { role, content: [{ type: 'text', text: content }] },
    ),
    ...(options.structuredOutput ? { responseFormat: formatOf(prompt, task) } : {}),
    ...(temperature === undefined ? {} : { temperature }),
    ...(callOptions?.(limits) ?? limits),
  });
  const reply = readResult(result);
  const { usage, text: rawResponse } = reply;
  const ignored = unheeded(result.warnings);
  if (ignored !== null) throw new BackendError('bad_request', `${model}: ${ignored}`, { usage });
  if (reply.refusal !== null || reply.end === 'complete') return reply;
  if (reply.end === 'failed')
    throw new BackendError('server', `${model}: the provider broke the reply off with an error`, { usage });
  throw new BackendError(
    'truncated',
    `${model}: the reply was cut off; raise --max-output-tokens (now ${maxOutputTokens} a row) or lower --batch-size`,
    { usage, rawResponse },
  );
}

/** The form in which the reply to a prompt is asked for. */
export function formatOf(
  prompt: BuiltPrompt,
  task: Task,
): NonNullable<LanguageModelV4CallOptions['responseFormat']> {
  const schema = rowsOf(prompt) > 1 ? batchResponseSchema(task) : responseSchema(task);
  return { type: 'json', name: 'answer', schema: schema as object as JSONSchema7 };
}

function rowsOf({ caseIds }: BuiltPrompt): number {
  return Math.max(1, caseIds.length);
}

async function generate(
  { messages, template }: BuiltPrompt,
  context: CallContext,
  model: LanguageModelV4,
  question: LanguageModelV4CallOptions,
) {
  try {
    return await model.doGenerate(question);
  } catch (error) {
    throw toBackendError(error, {
      ...context,
      withoutQuotes: (text) => withoutQuotes(text, messages, template),
    });
  }
}
