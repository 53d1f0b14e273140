import { z } from 'zod';
import type { PromptMessage } from '../../core/text-request.ts';
import { countedTokens, readReply, textOfParts, type WireBody } from './model-reply.ts';
import { HttpReplyError } from './provider-error.ts';
import {
  type CallLimits,
  type ModelAccess,
  type ModelQuestion,
  NO_KEY,
  type RawReply,
  TOP_LOGPROBS,
} from './providers/provider.ts';

/**
 * A model behind a server that speaks chat completions, asked without an SDK: with many calls in flight an SDK's own work costs more
 * than the request. `effortFields`: how the server takes the effort of reasoning. Default: as OpenAI's does.
 */
export function openChatCompletions(
  model: string,
  { baseURL, apiKey }: { readonly baseURL: string; readonly apiKey?: string },
  effortFields: (effort: string) => object = (effort) => ({ reasoning_effort: effort }),
): ModelAccess['open'] {
  const url = `${baseURL}/chat/completions`;
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'krisis',
    ...(apiKey !== undefined && apiKey !== NO_KEY && { authorization: `Bearer ${apiKey}` }),
  };
  return async ({ post }) => {
    const writeBody = bodyWriter(model, effortFields);
    return async (question, exchange = post) => {
      const reply = await exchange({ url, headers, body: writeBody(question) });
      if (reply.status < 200 || reply.status >= 300) throw new HttpReplyError(reply);
      return readBody(parseBody(reply));
    };
  };
}

/** Writes bodies of requests. What is the same in one question after the other is written once: all settings, and the instructions. */
function bodyWriter(model: string, effortFields: (effort: string) => object) {
  let last: readonly unknown[] = [];
  let opening = '';
  return ({ messages, schema, temperature, limits }: ModelQuestion): string => {
    const [system, ...others] = messages;
    const shared = [schema, system, temperature, ...Object.values(limits)];
    if (shared.some((part, i) => part !== last[i])) {
      const settings = { model, ...buildSettings(limits, temperature, schema, effortFields) };
      opening = `${JSON.stringify(settings).slice(0, -1)},"messages":[${writeMessage(system!)}`;
      last = shared;
    }
    return `${opening}${others.map((message) => `,${writeMessage(message)}`).join('')}]}`;
  };
}

function writeMessage({ role, content }: PromptMessage): string {
  return JSON.stringify({ role, content });
}

function buildSettings(
  { maxOutputTokens, reasoning, logprobs }: CallLimits,
  temperature: number | undefined,
  schema: ModelQuestion['schema'],
  effortFields: (effort: string) => object,
) {
  return {
    max_tokens: maxOutputTokens,
    temperature,
    ...(schema && {
      response_format: { type: 'json_schema', json_schema: { schema, strict: true, name: 'answer' } },
    }),
    ...(logprobs && { logprobs: true, top_logprobs: TOP_LOGPROBS }),
    ...(reasoning !== 'provider-default' && effortFields(reasoning)),
  };
}

const count = z.number().nullish();

/** The parts of a reply that are read, and that must be as expected if they are there. */
const REPLY = z.looseObject({
  model: z.string().nullish(),
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({
          role: z.literal('assistant').nullish(),
          content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).nullish(),
        }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.looseObject({ prompt_tokens: count, completion_tokens: count }).nullish(),
});

function parseBody(reply: ConstructorParameters<typeof HttpReplyError>[0]): z.infer<typeof REPLY> {
  let body: unknown;
  try {
    body = JSON.parse(reply.body);
  } catch (error) {
    throw new HttpReplyError(reply, error);
  }
  const { data, error } = REPLY.safeParse(body);
  if (error !== undefined) throw new HttpReplyError(reply, error);
  return data;
}

/** Reasons for which a reply ends early, in the words for all providers. */
const ENDS: Readonly<Record<string, string>> = { length: 'length', content_filter: 'content-filter' };

function readBody(body: z.infer<typeof REPLY>): RawReply {
  const { message, finish_reason } = body.choices[0]!;
  const end = finish_reason ?? undefined;
  const { usage } = body;
  const counted = countedTokens(usage && (usage.prompt_tokens ?? 0), usage && (usage.completion_tokens ?? 0));
  const reply = readReply(
    body as WireBody,
    textIn(message.content),
    ENDS[end ?? ''] ?? 'other',
    end,
    counted,
    body.model,
  );
  return { reply, body, ignored: null };
}

/** The text of a message, which is one text or a list of parts. */
function textIn(content: string | readonly Readonly<Record<string, unknown>>[] | null | undefined): string {
  if (!Array.isArray(content)) return (content as string | null | undefined) ?? '';
  return textOfParts(content);
}
