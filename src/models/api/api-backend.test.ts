import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { recordsOf, task } from '../../../test/engine-fixture.ts';
import { loopbackServer, sendJson } from '../../../test/loopback-server.ts';
import { WIRE_USAGE, wireReplies } from '../../../test/wire-replies.ts';
import { BackendError } from '../backend-error.ts';
import { apiBackend } from './api-backend.ts';
import type { ApiOptions } from './api-options.ts';
import { promptFrameHash } from './prompt.ts';

type Reply = Parameters<typeof sendJson>;
let reply: () => [body: Reply[1], status?: Reply[2], headers?: Reply[3]];
const server = await loopbackServer((_, response) => sendJson(response, ...reply()));
afterAll(server.close);
beforeEach(() => {
  server.received.length = 0;
});

const env = {
  OPENAI_API_KEY: 'canary-key-1',
  ANTHROPIC_API_KEY: 'canary-key-2',
  GEMINI_API_KEY: 'canary-key-3',
  XAI_API_KEY: 'canary-key-4',
};
const MODELS = {
  openai: 'openai/gpt-4o',
  anthropic: 'anthropic/claude-sonnet-4-6',
  google: 'google/gemini-3-flash',
  xai: 'xai/grok-4',
} as const;
type Name = keyof typeof MODELS;

const createBackend = (name: Name = 'openai', options: ApiOptions = {}) =>
  apiBackend(MODELS[name], { baseUrl: `${server.url}/v1`, env, ...options });
const says = (name: Name, said: Parameters<typeof wireReplies.openai>[0]) => {
  reply = () => [wireReplies[name](said)];
};

const one = (more: object = {}) =>
  JSON.stringify({ prediction: 'yes', abstained: false, confidence: 0.8, ...more });
const many = (...ids: number[]) =>
  JSON.stringify({
    results: ids.map((n) => ({ id: `case_${n}`, prediction: 'no', abstained: false, confidence: n / 10 })),
  });
const [a] = recordsOf('a');
const three = recordsOf('abc');

/** Asks one record or three, and gives the rows or the error. */
async function ask(name: Name, how: 'single' | 'batch', options: ApiOptions = {}) {
  const backend = await createBackend(name, options);
  const asked =
    how === 'single' ? backend.evaluate(a!, task).then((row) => [row]) : backend.evaluateBatch(three, task);
  return asked.then(
    (rows) => ({ rows, error: null }),
    (error: BackendError) => ({ rows: [], error }),
  );
}

describe('a transport', () => {
  it('carries every question in place of HTTP, without a key, and names the call', async () => {
    const carried: unknown[] = [];
    const usage = { inputTokens: 5, outputTokens: 2 };
    const backend = await apiBackend('openai/gpt-4o', {
      env: {},
      endpoint: 'cluster',
      transport: async ({ messages, maxOutputTokens }, call) => {
        carried.push([messages.length, maxOutputTokens, call?.key]);
        return { text: one(), end: 'complete', refusal: null, usage, modelId: null };
      },
    });
    const row = await backend.evaluate(a!, task, { key: 'k', attempt: 0 });
    expect(row).toMatchObject({ prediction: 'yes', inputTokens: 5 });
    await backend.generate!(
      { messages: [{ role: 'user', content: 'Why?' }], template: [] },
      { key: 'j', attempt: 0 },
    );
    expect(carried).toEqual([
      [2, 2048, 'k'],
      [1, undefined, 'j'],
    ]);
    expect(backend.parameters).toMatchObject({ endpoint: 'cluster' });
    expect(server.received).toHaveLength(0);
  });

  it('names an endpoint in place of the address', async () => {
    const backend = await createBackend('openai', { endpoint: 'cluster' });
    expect(backend.parameters).toMatchObject({ endpoint: 'cluster' });
    expect(backend.parameters).not.toHaveProperty('base_url');
  });
});

describe('a single question', () => {
  it('gives the answer, the redacted prompt and what it took', async () => {
    says('openai', { text: one() });
    const { rows } = await ask('openai', 'single');
    expect(rows).toEqual([
      {
        prediction: 'yes',
        abstained: false,
        confidence: 0.8,
        confidenceSource: 'stated',
        rawResponse: one(),
        prompt: expect.any(Array),
        promptMode: 'single',
        ...WIRE_USAGE,
        totalTokens: 1021,
        modelId: 'the-model-2026',
        replyOrder: 'prediction,abstained,confidence',
        replySpan: null,
      },
    ]);
    expect(server.received[0]!.body).toContain('value: a');
    expect(JSON.stringify(rows[0]!.prompt)).not.toContain('value: a');
  });

  it.each([1e300, 1e9 + 1, 0.001, -1, 1])('reads no count of tokens that cannot be true: %j', async (n) => {
    const usage = { prompt_tokens: n, completion_tokens: n, total_tokens: n };
    reply = () => [{ ...wireReplies.openai({ text: one() }), usage }];
    const { rows } = await ask('openai', 'single');
    expect(rows).toMatchObject([
      { prediction: 'yes', inputTokens: null, outputTokens: null, totalTokens: null },
    ]);
  });

  it('reads an abstention, and a reply that had to be mended', async () => {
    says('openai', { text: `\`\`\`json\n${one({ prediction: null, abstained: true })}\n\`\`\`` });
    const { rows } = await ask('openai', 'single');
    expect(rows).toMatchObject([{ prediction: null, abstained: true, repaired: true }]);
  });

  it.each(['Surely yes.', '{"prediction":"yes","abstained":fal'])(
    'takes %s for an invalid answer, since that is what the model said',
    async (text) => {
      says('openai', { text });
      const { rows } = await ask('openai', 'single');
      expect(rows).toMatchObject([
        { invalid: expect.any(String), prediction: null, abstained: false, rawResponse: text, ...WIRE_USAGE },
      ]);
    },
  );

  it('is what a batch of one is', async () => {
    says('openai', { text: one() });
    const rows = await (await createBackend()).evaluateBatch([a!], task);
    expect(rows).toMatchObject([{ prediction: 'yes', promptMode: 'single' }]);
    expect(server.received[0]!.body).not.toContain('results');
  });
});

describe('a batch', () => {
  it('gives its rows in the order asked, and shares the tokens out', async () => {
    says('openai', { text: many(3, 1, 2) });
    const { rows } = await ask('openai', 'batch');
    expect(rows.map(({ confidence }) => confidence)).toEqual([0.1, 0.2, 0.3]);
    expect(rows).toMatchObject(rows.map(() => ({ promptMode: 'batch', rawResponse: many(3, 1, 2) })));
    expect(rows.map(({ inputTokens }) => inputTokens)).toEqual([333, 333, 334]);
    expect(rows.map(({ outputTokens }) => outputTokens)).toEqual([7, 7, 7]);
    expect(rows.map(({ totalTokens }) => totalTokens)).toEqual([340, 340, 341]);
  });

  it('may take as much per row as a single question', async () => {
    says('openai', { text: many(1, 2, 3) });
    await ask('openai', 'batch', { maxOutputTokens: 100 });
    expect(JSON.parse(server.received[0]!.body)).toMatchObject({
      max_completion_tokens: 300,
      response_format: { json_schema: { name: 'answer', strict: true, schema: { required: ['results'] } } },
    });
  });

  it('says on every row that the reply was mended', async () => {
    says('openai', { text: `Here you are: ${many(1, 2, 3)}` });
    const { rows } = await ask('openai', 'batch');
    expect(rows.map(({ repaired }) => repaired)).toEqual([true, true, true]);
  });

  it('keeps the rows that are there when one is missing', async () => {
    says('openai', { text: many(3, 1) });
    const { error } = await ask('openai', 'batch');
    expect(error).toMatchObject({
      fault: 'short',
      message: 'openai/gpt-4o: 2 answers for 3 cases',
      usage: WIRE_USAGE,
      rawResponse: many(3, 1),
    });
    expect(error!.partial.map((row) => row?.confidence ?? null)).toEqual([0.1, null, 0.3]);
  });

  it('is malformed when it cannot be read', async () => {
    says('openai', { text: 'yes, no, yes' });
    const { error } = await ask('openai', 'batch');
    expect(error).toMatchObject({
      fault: 'malformed',
      usage: WIRE_USAGE,
      rawResponse: 'yes, no, yes',
      partial: [],
    });
  });
});

describe('replies that are no answer', () => {
  const cut: [Name, string][] = [
    ['openai', 'length'],
    ['anthropic', 'max_tokens'],
    ['google', 'MAX_TOKENS'],
    ['xai', 'incomplete'],
  ];
  it.each(cut)('of %s, cut off: never read, and told what to change', async (name, end) => {
    for (const [how, text] of [
      ['single', one()],
      ['batch', many(1, 2, 3)],
      ['single', ''],
    ] as const) {
      says(name, { text, end });
      const { error } = await ask(name, how);
      expect(error).toMatchObject({ fault: 'truncated', usage: WIRE_USAGE, rawResponse: text });
      expect(error!.message).toContain('raise maxOutputTokens (now 2048 per case) or lower the batch size');
    }
  });

  it.each(Object.keys(MODELS) as Name[])('of %s, empty', async (name) => {
    says(name, { text: '' });
    for (const how of ['single', 'batch'] as const)
      expect((await ask(name, how)).error).toMatchObject({ fault: 'empty', usage: WIRE_USAGE });
  });

  const refusals: [Name, Parameters<typeof wireReplies.openai>[0], string][] = [
    ['openai', { text: '', refusal: 'I will not.' }, 'I will not.'],
    ['openai', { text: '', end: 'content_filter' }, '[blocked: content_filter]'],
    ['xai', { text: '', refusal: 'I will not.' }, 'I will not.'],
    ['anthropic', { text: '', end: 'refusal' }, '[blocked: refusal]'],
    ['anthropic', { text: 'I would rather', end: 'refusal' }, 'I would rather'],
    ['google', { text: '', end: 'SAFETY' }, '[blocked: SAFETY]'],
    [
      'openai',
      { text: "I'm sorry, but I can't assist with that." },
      "I'm sorry, but I can't assist with that.",
    ],
  ];
  it.each(refusals)('of %s, refused: %j', async (name, said, words) => {
    says(name, said);
    const { rows } = await ask(name, 'single');
    expect(rows).toMatchObject([{ refused: true, prediction: null, abstained: false, rawResponse: words }]);
    expect(rows[0]!.invalid).toBeUndefined();
    const { error } = await ask(name, 'batch');
    expect(error).toMatchObject({ fault: 'refused', usage: WIRE_USAGE, rawResponse: words });
  });

  it('refused at length, with a count of tokens that is too small', async () => {
    const refusal = 'I will not answer this question about a patient. '.repeat(40);
    for (const name of ['openai', 'xai'] as const) {
      says(name, { text: '', refusal });
      const { error } = await ask(name, 'batch');
      expect(error).toMatchObject({ fault: 'refused', usage: { ...WIRE_USAGE, outputTokens: null } });
    }
  });

  it('of xAI, blocked halfway, or failed', async () => {
    const { status: _, ...rest } = wireReplies.xai({ text: 'I' });
    reply = () => [{ ...rest, status: 'incomplete', incomplete_details: { reason: 'content_filter' } }];
    expect((await ask('xai', 'single')).rows).toMatchObject([{ refused: true, rawResponse: 'I' }]);
    reply = () => [{ ...rest, status: 'failed' }];
    expect((await ask('xai', 'single')).error).toMatchObject({ fault: 'server' });
  });

  it('of an older model of Anthropic, in words where a form was asked for', async () => {
    says('anthropic', { text: "I'm sorry, but I can't assist with that." });
    const older = await apiBackend('anthropic/claude-3-haiku', { baseUrl: `${server.url}/v1`, env });
    expect(await older.evaluate(a!, task)).toMatchObject({ refused: true });
    expect(server.received[0]!.body).toContain('"tool_choice"');
  });

  it('of Gemini, when the question itself was blocked', async () => {
    reply = () => [
      { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: { promptTokenCount: 9 } },
    ];
    const { rows } = await ask('google', 'single');
    expect(rows).toMatchObject([{ refused: true, rawResponse: '[blocked: PROHIBITED_CONTENT]' }]);
  });

  it('of a filter in front of the model', async () => {
    reply = () => [{ error: { message: 'filtered', code: 'content_filter' } }, 400];
    const { rows } = await ask('openai', 'single');
    expect(rows).toMatchObject([
      {
        refused: true,
        rawResponse: expect.stringContaining('filtered'),
        inputTokens: null,
        totalTokens: null,
      },
    ]);
    expect((await ask('openai', 'batch')).error).toMatchObject({ fault: 'refused' });
  });

  it('of a provider that broke off', async () => {
    says('openai', { text: '{"pre', end: 'error' });
    expect((await ask('openai', 'single')).error).toMatchObject({ fault: 'server' });
  });

  it.each(['openai', 'xai'] as const)('of %s, with tokens that nobody counted', async (name) => {
    reply = () => [{ ...wireReplies[name]({ text: many(1, 2, 3) }), usage: undefined }];
    const { rows } = await ask(name, 'batch');
    expect(rows.map(({ inputTokens, totalTokens }) => [inputTokens, totalTokens])).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ]);
  });
});

describe('errors', () => {
  it('come as faults, once: nobody tries again but the engine', async () => {
    reply = () => [
      { error: { message: 'Slow down', type: 'requests', code: 'rate_limit_exceeded' } },
      429,
      { 'retry-after': '90' },
    ];
    const { error } = await ask('openai', 'single');
    expect(error).toBeInstanceOf(BackendError);
    expect(error).toMatchObject({
      fault: 'rate_limit',
      message: 'openai/gpt-4o: too many requests (HTTP 429): Slow down',
      retryAfterSeconds: 90,
    });
    expect(server.received.length).toBe(1);
  });

  it('quote neither key nor patient, even where the provider does', async () => {
    reply = () => {
      const { body, headers } = server.received.at(-1)!;
      const { content } = JSON.parse(body).messages.at(-1);
      const message = `bad: ${JSON.stringify(content)} from ${headers.authorization}`;
      return [{ error: { message, code: 'x' } }, 400];
    };
    const { error } = await ask('openai', 'single');
    expect(error!.message).toMatch(/\(HTTP 400\): bad: .*\[case\].* from Bearer \[key\]$/);
    expect(error!.message).not.toMatch(/canary|value: a/);
  });

  it('do not come from a proxy that has no business with this machine', async () => {
    says('openai', { text: one() });
    const gone = await loopbackServer(() => {});
    await gone.close();
    const { rows } = await ask('openai', 'single', { env: { ...env, HTTP_PROXY: gone.url } });
    expect(rows).toMatchObject([{ prediction: 'yes' }]);
  });

  it('do not come from a proxy where a server on this machine forwards questions', async () => {
    says('openai', { text: one() });
    const gone = await loopbackServer(() => {});
    await gone.close();
    const options = { baseUrl: `${server.url}/v1`, env: { HTTP_PROXY: gone.url } };
    const cloud = await apiBackend('ollama/gpt-oss:120b-cloud', options);
    expect(cloud.destination).toMatchObject({ host: 'ollama.com', loopback: false });
    expect(await cloud.evaluate(a!, task)).toMatchObject({ prediction: 'yes' });
  });

  it('say when the server is not there', async () => {
    const gone = await loopbackServer(() => {});
    await gone.close();
    const { error } = await ask('openai', 'single', { baseUrl: gone.url });
    expect(error).toMatchObject({
      fault: 'network',
      message: `openai/gpt-4o: cannot reach ${gone.host} (ECONNREFUSED)`,
    });
  });

  it('say when the server does not answer', async () => {
    const silent = await loopbackServer(() => {});
    const { error } = await ask('openai', 'single', { baseUrl: silent.url, timeoutSeconds: 0.05 });
    expect(error).toMatchObject({ fault: 'timeout' });
    expect(error!.message).toContain('within 0.05 seconds');
    await silent.close();
  });

  it('say when a setting was not heeded, since the run would be wrong about itself', async () => {
    says('openai', { text: one() });
    const backend = await apiBackend('openai/gpt-5', { baseUrl: `${server.url}/v1`, env, temperature: 0 });
    await expect(backend.evaluate(a!, task)).rejects.toMatchObject({
      fault: 'bad_request',
      message: expect.stringContaining('openai/gpt-5: this model does not accept temperature as given'),
      usage: WIRE_USAGE,
    });
  });
});

describe('what the engine is told', () => {
  it('is the name as given, where questions go, and all that shapes a reply', async () => {
    const backend = await createBackend('openai', {
      temperature: 0.2,
      maxRetries: 7,
      retryBaseSeconds: 2,
      retryMaxSeconds: 9,
    });
    expect(backend).toMatchObject({
      name: 'openai/gpt-4o',
      destination: { provider: 'openai', host: server.host, loopback: true },
      maxRetries: 7,
      retryBaseSeconds: 2,
      retryMaxSeconds: 9,
    });
    expect(backend.parameters).toEqual({
      provider: 'openai',
      model: 'gpt-4o',
      base_url: `${server.url}/v1`,
      temperature: 0.2,
      reasoning_effort: null,
      max_output_tokens: 2048,
      structured_output: true,
      reasoning: true,
      prompt_frame: promptFrameHash({}),
    });
    expect(backend.cost!(WIRE_USAGE)).toBeGreaterThan(0);
  });

  it('names the provider behind an alias', async () => {
    const backend = await apiBackend('gemini/gemini-3-flash', { env });
    expect(backend.name).toBe('gemini/gemini-3-flash');
    expect([backend.destination!.provider, backend.parameters!.provider]).toEqual(['google', 'google']);
  });

  it('guesses tokens by the length of the question', async () => {
    const { estimateTokens } = await createBackend();
    const [single, batch] = [estimateTokens!([a!], task), estimateTokens!(three, task)];
    expect(single.inputTokens!).toBeGreaterThan(10);
    expect(batch.inputTokens!).toBeGreaterThan(single.inputTokens!);
    expect([single.outputTokens, batch.outputTokens]).toEqual([160, 480]);
    const plain = await createBackend('openai', { reasoning: false });
    expect(plain.estimateTokens!(three, task).outputTokens).toBe(180);
  });

  it('tells questions apart by all that shapes a reply', async () => {
    const hash = async (options: ApiOptions = {}, records = [a!], asked = task) =>
      (await createBackend('openai', options)).requestHash!(records, asked, 'batch');
    const same = await hash();
    expect(same).toMatch(/^[0-9a-f]{64}$/);
    expect(await hash({ timeoutSeconds: 5, maxRetries: 1 })).toBe(same);
    expect((await createBackend()).requestHash!([a!], task, 'single')).toBe(same);
    const others = await Promise.all([
      hash({ temperature: 0 }),
      hash({ reasoning: false }),
      hash({ reasoningEffort: 'low' }),
      hash({ maxOutputTokens: 9 }),
      hash({ structuredOutput: false }),
      hash({ baseUrl: `${server.url}/v2` }),
      hash({}, recordsOf('b')),
      hash({}, three),
      hash({}, [a!], { ...task, labels: ['yes', 'no', 'perhaps'] }),
      hash({}, [a!], { ...task, arms: { natural: { instructions: 'Which?' } } }),
      (await createBackend('xai')).requestHash!([a!], task, 'single'),
    ]);
    expect(new Set([same, ...others]).size).toBe(1 + others.length);
  });
});
