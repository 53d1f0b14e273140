import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { TextRequest } from '../../core/index.ts';
import { batchResponseSchema, responseSchema, type Task } from '../../suites/index.ts';
import { BackendError } from '../backend-error.ts';
import type { completeOptions } from './api-options.ts';
import { ignoredOption } from './ignored-options.ts';
import type { BuiltPrompt } from './prompt.ts';
import { type CallContext, toBackendError } from './provider-error.ts';
import type { ModelAccess } from './providers/provider.ts';
import { type ModelReply, readResult } from './read-result.ts';
import { withoutQuotes } from './without-quotes.ts';

interface Asked {
  readonly language: LanguageModelV4;
  readonly callOptions: ModelAccess['callOptions'];
  readonly options: ReturnType<typeof completeOptions>;
  readonly context: CallContext;
}

/** Asks one question, once: the engine decides on retries. */
export function askModel(prompt: BuiltPrompt, task: Task, asked: Asked): Promise<ModelReply> {
  const { structuredOutput, maxOutputTokens } = asked.options;
  return askText(
    {
      ...prompt,
      ...(structuredOutput ? { schema: schemaOf(prompt, task) } : {}),
      maxOutputTokens: rowsOf(prompt) * maxOutputTokens,
    },
    asked,
  );
}

/** Asks one question whose reply is text. A truncated reply is an error, never read. */
export async function askText(
  request: TextRequest,
  { language, callOptions, options, context }: Asked,
): Promise<ModelReply> {
  const { model } = context;
  const { temperature, reasoningEffort } = options;
  const maxOutputTokens = request.maxOutputTokens ?? options.maxOutputTokens;
  const limits = {
    maxOutputTokens,
    reasoning: reasoningEffort ?? 'provider-default',
  } as const;
  const result = await generate(request, context, language, {
    prompt: request.messages.map(({ role, content }) =>
      role === 'system' ? { role, content } : { role, content: [{ type: 'text', text: content }] },
    ),
    ...(request.schema ? { responseFormat: formatOf(request.schema) } : {}),
    ...(temperature === undefined ? {} : { temperature }),
    ...(callOptions?.(limits) ?? limits),
  });
  const reply = readResult(result);
  const { usage, text: rawResponse } = reply;
  const ignored = ignoredOption(result.warnings);
  if (ignored !== null) throw new BackendError('bad_request', `${model}: ${ignored}`, { usage });
  if (reply.refusal !== null || reply.end === 'complete') return reply;
  if (reply.end === 'failed')
    throw new BackendError('server', `${model}: the provider aborted the reply with an error`, { usage });
  throw new BackendError(
    'truncated',
    `${model}: the reply was cut off; raise maxOutputTokens (now ${options.maxOutputTokens} per row) or lower the batch size`,
    { usage, rawResponse },
  );
}

/** The schema that the reply to a prompt must follow. */
export function schemaOf(prompt: BuiltPrompt, task: Task): object {
  return rowsOf(prompt) > 1 ? batchResponseSchema(task) : responseSchema(task);
}

function formatOf(schema: object): NonNullable<LanguageModelV4CallOptions['responseFormat']> {
  return { type: 'json', name: 'answer', schema: schema as never };
}

function rowsOf({ caseIds }: BuiltPrompt): number {
  return Math.max(1, caseIds.length);
}

async function generate(
  { messages, template }: TextRequest,
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
