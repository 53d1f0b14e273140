import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, it } from 'vitest';
import type { Exchange, WireReply, WireRequest } from './bulk/wire.ts';
import { openChatCompletions } from './chat-completions.ts';
import { toBackendError } from './provider-error.ts';
import type { Connection, ModelAccess, ModelQuestion } from './providers/provider.ts';
import { openWithSdk } from './sdk-model.ts';

/** What Krisis sends and reads by itself, beside what the SDK makes of the same. */

const baseURL = 'http://127.0.0.1:1/v1';
const settings = { baseURL, apiKey: 'canary-key' };
const ours = openChatCompletions('m', settings);
const CHAT_LOGPROBS = { logprobs: true, top_logprobs: 20 };
const sdk = openWithSdk(
  async (fetch) =>
    createOpenAICompatible({ name: 'local', ...settings, fetch, supportsStructuredOutputs: true })('m'),
  ({ logprobs, ...limits }) => ({
    ...limits,
    ...(logprobs && { providerOptions: { local: CHAT_LOGPROBS } }),
  }),
);

const limits = { maxOutputTokens: 100, reasoning: 'provider-default', logprobs: false } as const;
const question: ModelQuestion = {
  messages: [
    { role: 'system', content: 'Say "yes".\n' },
    { role: 'user', content: 'Kreatinin 80 µmol/L \ud800' },
  ],
  schema: { type: 'object', properties: { a: { type: 'string' } } },
  temperature: undefined,
  limits,
};

async function exchanged(open: ModelAccess['open'], asked: ModelQuestion, reply: WireReply) {
  const sent: WireRequest[] = [];
  const exchange: Exchange = async (request) => {
    sent.push(request);
    return reply;
  };
  const ask = await open({ post: exchange, fetch } satisfies Connection);
  const context = {
    model: 'local/m',
    provider: 'local',
    host: 'h',
    timeoutSeconds: 1,
    keyVariables: [],
    secrets: [],
  };
  const result = await ask(asked, exchange).then(
    ({ reply, ignored }) => ({ reply, ignored }),
    (error: unknown) => {
      const { fault, message, status, rawResponse, problem } = toBackendError(error, context);
      return { fault, message, status, rawResponse, problem };
    },
  );
  return { sent, result };
}

const ok = (message: object, more: object = {}, choice: object = {}) =>
  JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'm-2',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', ...choice }],
    usage: { prompt_tokens: 40, completion_tokens: 5, total_tokens: 45 },
    ...more,
  });

describe('a request', () => {
  const { messages, schema: _, ...text } = question;
  it.each<[string, ModelQuestion]>([
    ['with a schema', question],
    ['with a temperature', { ...question, temperature: 0 }],
    ['with log-probabilities', { ...question, limits: { ...limits, logprobs: true } }],
    ['with an effort', { ...question, limits: { ...limits, reasoning: 'low' } }],
    ['without reasoning', { ...question, limits: { ...limits, reasoning: 'none' } }],
    [
      'for a text, with several turns',
      {
        ...text,
        schema: undefined,
        messages: [...messages, { role: 'assistant', content: 'yes' }, { role: 'user', content: 'why?' }],
      },
    ],
    ['without instructions', { ...question, messages: messages.slice(1) }],
  ])('%s is that of the SDK', async (_name, asked) => {
    const reply = { status: 200, body: ok({ content: 'yes' }) };
    const [mine] = (await exchanged(ours, asked, reply)).sent;
    const [theirs] = (await exchanged(sdk, asked, reply)).sent;
    expect(mine!.url).toBe(theirs!.url);
    expect(mine!.headers).toEqual({ ...theirs!.headers, 'user-agent': 'krisis' });
    expect(JSON.parse(mine!.body)).toEqual(JSON.parse(theirs!.body));
  });

  it('is rewritten when anything except the last messages changes', async () => {
    const sent: string[] = [];
    const ask = await ours({
      post: async ({ body }) => {
        sent.push(body);
        return { status: 200, body: ok({ content: 'yes' }) };
      },
      fetch,
    });
    const other = { role: 'system', content: 'Say "no".' } as const;
    const variants: ModelQuestion[] = [
      question,
      { ...question, messages: [question.messages[0]!, { role: 'user', content: 'b' }] },
      { ...question, messages: [other, question.messages[1]!] },
      { ...question, limits: { ...limits, maxOutputTokens: 7 } },
      { ...question, schema: undefined },
      question,
    ];
    for (const variant of variants) await ask(variant);
    expect(sent.map((body) => JSON.parse(body))).toMatchObject(
      variants.map((variant) => ({
        messages: variant.messages.map(({ content }) => ({ content })),
        max_tokens: variant.limits.maxOutputTokens,
      })),
    );
    expect(sent.map((body) => body.includes('json_schema'))).toEqual([true, true, true, true, false, true]);
    expect(sent[5]).toBe(sent[0]);
  });

  it('has no key where none is sent', async () => {
    const open = openChatCompletions('m', { baseURL, apiKey: 'krisis-sends-no-key' });
    const { sent } = await exchanged(open, question, { status: 200, body: ok({ content: 'yes' }) });
    expect(sent[0]!.headers).not.toHaveProperty('authorization');
  });
});

describe('a reply', () => {
  const token = { token: 'yes', logprob: -0.1, top_logprobs: [{ token: 'no', logprob: -2 }] };
  it.each<[string, string, number?]>([
    ['a text', ok({ content: 'yes' })],
    ['no text', ok({ content: null })],
    [
      'parts',
      ok({
        content: [
          { type: 'text', text: 'ye' },
          { type: 'thinking', thinking: [] },
          { type: 'text', text: 's' },
        ],
      }),
    ],
    ['reasoning', ok({ content: 'yes', reasoning_content: 'because' })],
    ['a refusal', ok({ content: null, refusal: 'I cannot' })],
    ['log-probabilities', ok({ content: 'yes' }, {}, { logprobs: { content: [token] } })],
    ['an end by length', ok({ content: 'ye' }, {}, { finish_reason: 'length' })],
    ['an end by a filter', ok({ content: 'ye' }, {}, { finish_reason: 'content_filter' })],
    ['a filter without a text', ok({ content: '' }, {}, { finish_reason: 'content_filter' })],
    ['an end by an error', ok({ content: 'ye' }, {}, { finish_reason: 'error' })],
    ['an unknown end', ok({ content: 'yes' }, {}, { finish_reason: 'eos' })],
    ['no end', ok({ content: 'yes' }, {}, { finish_reason: null })],
    ['no usage', ok({ content: 'yes' }, { usage: undefined })],
    ['half a usage', ok({ content: 'yes' }, { usage: { prompt_tokens: 9 } })],
    ['an empty usage', ok({ content: 'yes' }, { usage: {} })],
    ['no model', ok({ content: 'yes' }, { model: undefined })],
    ['no choices', '{"object":"chat.completion"}'],
    ['a choice without a message', '{"choices":[{"text":"yes"}]}'],
    ['a number as content', ok({ content: 5 })],
    ['another role', ok({ role: 'user', content: 'yes' })],
    ['a text as usage', ok({ content: 'yes' }, { usage: { prompt_tokens: '9' } })],
    ['a number as end', ok({ content: 'yes' }, {}, { finish_reason: 3 })],
    ['an error of a gateway', '{"error":{"message":"slow down","code":429}}'],
    ['no JSON', 'yes'],
    ['nothing', ''],
    ['a page', '<html>'],
    ['an error', '{"error":{"message":"wrong key canary-key"}}', 401],
    ['an error in text', 'busy', 503],
    ['a redirection', '', 307],
  ])('with %s is read as the SDK reads it', async (_, body, status = 200) => {
    const reply = { status, body, headers: { 'content-type': 'application/json' } };
    const { result } = await exchanged(ours, question, reply);
    expect(result).toEqual((await exchanged(sdk, question, reply)).result);
  });

  it.each(['abort', 'error'])('that the server ended by %s has failed', async (end) => {
    const body = ok({ content: '{"pre' }, {}, { finish_reason: end });
    const { result } = await exchanged(ours, question, { status: 200, body });
    expect(result).toMatchObject({ reply: { text: '{"pre', end: 'failed' } });
  });

  it('without any choice names the field', async () => {
    const { result } = await exchanged(ours, question, { status: 200, body: '{"choices":[]}' });
    expect(result).toMatchObject({ fault: 'malformed', problem: 'unexpected_field', status: 200 });
  });
});
