import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { task } from '../../../../test/engine-fixture.ts';
import { loopbackServer, sendJson } from '../../../../test/loopback-server.ts';
import { WIRE_USAGE, wireReplies } from '../../../../test/wire-replies.ts';
import { KrisisError } from '../../../core/errors.ts';
import { responseSchema } from '../../../suites/task.ts';
import { apiBackend } from '../api-backend.ts';
import type { ApiOptions, Environment } from '../api-options.ts';
import { isApiModel, PROVIDERS } from './providers.ts';

const KEY = 'canary-key-0123456789';
const answer = '{"prediction":"yes","abstained":false,"confidence":0.8}';
const schema = responseSchema(task);
const record = { id: 'a', features: { value: 1 } };

/** How one provider is spoken to. Paths are of the request's body. */
interface Wire {
  readonly model: string;
  readonly env: Environment;
  readonly basePath: string;
  readonly path: string;
  readonly auth: Readonly<Record<string, string | undefined>>;
  readonly reply: keyof typeof wireReplies;
  /** Where the cap stands, and where the schema does. */
  readonly cap: string;
  readonly schema: string;
  /** Where the effort stands, and what "low" is there. */
  readonly effort: readonly [model: string, path: string, value: unknown];
}

const bearer = { authorization: `Bearer ${KEY}` };
const chat = {
  basePath: '/v1',
  path: '/v1/chat/completions',
  reply: 'openai',
  schema: 'response_format.json_schema.schema',
} as const;
const gemini = {
  auth: { 'x-goog-api-key': KEY },
  reply: 'google',
  cap: 'generationConfig.maxOutputTokens',
  schema: 'generationConfig.responseJsonSchema',
} as const;

const WIRES: Record<string, Wire> = {
  openai: {
    ...chat,
    model: 'openai/gpt-4o',
    env: { OPENAI_API_KEY: KEY },
    auth: bearer,
    cap: 'max_completion_tokens',
    effort: ['openai/gpt-5', 'reasoning_effort', 'low'],
  },
  anthropic: {
    model: 'anthropic/claude-sonnet-4-6',
    env: { ANTHROPIC_API_KEY: KEY },
    basePath: '/v1',
    path: '/v1/messages',
    auth: { 'x-api-key': KEY },
    reply: 'anthropic',
    cap: 'max_tokens',
    schema: 'output_config.format.schema',
    effort: ['anthropic/claude-sonnet-4-6', 'output_config.effort', 'low'],
  },
  google: {
    ...gemini,
    model: 'google/gemini-3-flash',
    env: { GEMINI_API_KEY: KEY },
    basePath: '/v1beta',
    path: '/v1beta/models/gemini-3-flash:generateContent',
    effort: ['google/gemini-3-flash', 'generationConfig.thinkingConfig.thinkingLevel', 'low'],
  },
  xai: {
    model: 'xai/grok-4',
    env: { XAI_API_KEY: KEY },
    basePath: '/v1',
    path: '/v1/responses',
    auth: bearer,
    reply: 'xai',
    cap: 'max_output_tokens',
    schema: 'text.format.schema',
    effort: ['xai/grok-4.3', 'reasoning.effort', 'low'],
  },
  openrouter: {
    ...chat,
    model: 'openrouter/some-lab/model-x',
    env: { OPENROUTER_API_KEY: KEY },
    auth: bearer,
    cap: 'max_tokens',
    effort: ['openrouter/some-lab/model-x', 'reasoning.effort', 'low'],
  },
  ollama: {
    ...chat,
    model: 'ollama/llama3.2',
    env: {},
    auth: { authorization: undefined },
    cap: 'max_tokens',
    effort: ['ollama/llama3.2', 'reasoning_effort', 'low'],
  },
  'openai-compatible': {
    ...chat,
    model: 'openai-compatible/my/model',
    env: { OPENAI_COMPATIBLE_API_KEY: KEY },
    auth: bearer,
    cap: 'max_tokens',
    effort: ['openai-compatible/my/model', 'reasoning_effort', 'low'],
  },
  azure: {
    ...chat,
    model: 'azure/my-deployment',
    env: { AZURE_API_KEY: KEY },
    auth: { 'api-key': KEY },
    cap: 'max_completion_tokens',
    effort: ['azure/my-deployment', 'reasoning_effort', 'low'],
  },
  bedrock: {
    model: 'bedrock/anthropic.claude-sonnet-4-6',
    env: { AWS_BEARER_TOKEN_BEDROCK: KEY, AWS_REGION: 'eu-west-1' },
    basePath: '',
    path: '/model/anthropic.claude-sonnet-4-6/converse',
    auth: bearer,
    reply: 'bedrock',
    cap: 'inferenceConfig.maxTokens',
    schema: 'toolConfig.tools.0.toolSpec.inputSchema.json',
    effort: [
      'bedrock/anthropic.claude-sonnet-4-6',
      'additionalModelRequestFields.output_config.effort',
      'low',
    ],
  },
  vertex: {
    ...gemini,
    model: 'vertex/gemini-3-flash',
    env: { GOOGLE_VERTEX_API_KEY: KEY },
    basePath: '/v1/publishers/google',
    path: '/v1/publishers/google/models/gemini-3-flash:generateContent',
    effort: ['vertex/gemini-3-flash', 'generationConfig.thinkingConfig.thinkingLevel', 'low'],
  },
};

let reply: unknown;
const server = await loopbackServer((_, response) => sendJson(response, reply));
afterAll(server.close);

/** Asks one question and gives what arrived at the server. */
async function ask(wire: Wire, options: ApiOptions = {}, model = wire.model) {
  reply = wireReplies[wire.reply]({ text: answer });
  const backend = await apiBackend(model, {
    baseUrl: server.url + wire.basePath,
    env: wire.env,
    ...options,
  });
  const response = await backend.evaluate(record, task);
  const { body, ...received } = server.received.at(-1)!;
  return { backend, response, received, body: JSON.parse(body) as Record<string, unknown> };
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown>)?.[key], value);
}

it('every provider is tried', () => {
  expect(Object.keys(WIRES).sort()).toEqual([...PROVIDERS].sort());
});

describe.each(Object.entries(WIRES))('%s', (name, wire) => {
  it('sends the question to the right place, with the key, and reads the answer', async () => {
    const { backend, response, received, body } = await ask(wire);
    expect([received.method, received.path]).toEqual(['POST', wire.path]);
    for (const [header, value] of Object.entries(wire.auth)) expect(received.headers[header]).toBe(value);
    expect(response).toMatchObject({
      prediction: 'yes',
      abstained: false,
      confidence: 0.8,
      confidenceSource: 'stated',
      rawResponse: answer,
      promptMode: 'single',
      ...WIRE_USAGE,
      totalTokens: 1021,
    });
    if (wire.reply !== 'bedrock') expect(response.modelId).toBe('the-model-2026');
    expect(backend.destination).toEqual({ provider: name, host: server.host, loopback: true });
    expect(JSON.stringify(body)).toContain('value: 1');
  });

  it('tells the schema and the cap, and nothing that was not asked for', async () => {
    const { body } = await ask(wire, { maxOutputTokens: 321 });
    expect(at(body, wire.cap)).toBe(321);
    expect(at(body, wire.schema)).toMatchObject({
      required: [...schema.required],
      properties: { prediction: { anyOf: [{ enum: ['yes', 'no'] }, { type: 'null' }] } },
    });
    const text = JSON.stringify(body);
    for (const unasked of ['temperature', 'effort', 'thinking', 'top_p'])
      expect(text).not.toContain(`"${unasked}`);
  });

  it('goes without the schema when told', async () => {
    const { body } = await ask(wire, { structuredOutput: false });
    expect(at(body, wire.schema)).toBeUndefined();
    expect(JSON.stringify(body)).not.toMatch(/json_object|application\/json|"tools"/);
  });

  it('passes temperature and effort on', async () => {
    const warm = await ask(wire, { temperature: 0.5 });
    expect(JSON.stringify(warm.body)).toContain('"temperature":0.5');
    const [model, path, value] = wire.effort;
    const { body } = await ask(wire, { reasoningEffort: 'low' }, model);
    expect(at(body, path)).toBe(value);
  });

  it('keeps the key to itself', async () => {
    const { backend } = await ask(wire);
    expect(JSON.stringify(backend)).not.toContain(KEY);
  });
});

it.each(['openai', 'azure', 'xai'])('%s is told to keep nothing', async (name) => {
  expect((await ask(WIRES[name]!)).body.store).toBe(false);
});

describe('addresses', () => {
  const places: [string, Environment, string][] = [
    ['openai/x', { OPENAI_API_KEY: KEY }, 'api.openai.com'],
    ['openai/x', { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: 'https://gateway.example' }, 'gateway.example'],
    ['anthropic/x', { ANTHROPIC_API_KEY: KEY }, 'api.anthropic.com'],
    ['anthropic/x', { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: 'https://a.example/v1' }, 'a.example'],
    ['google/x', { GOOGLE_API_KEY: KEY }, 'generativelanguage.googleapis.com'],
    ['xai/x', { XAI_API_KEY: KEY }, 'api.x.ai'],
    ['openrouter/x', { OPENROUTER_API_KEY: KEY }, 'openrouter.ai'],
    ['ollama/x', {}, '127.0.0.1:11434'],
    ['ollama/x', { OLLAMA_BASE_URL: 'http://gpu.example:1234' }, 'gpu.example:1234'],
    ['ollama/x', { OLLAMA_HOST: '0.0.0.0' }, '127.0.0.1:11434'],
    ['ollama/x', { OLLAMA_HOST: ':5000' }, '127.0.0.1:5000'],
    ['ollama/x', { OLLAMA_HOST: 'gpu.example' }, 'gpu.example:11434'],
    ['ollama/x', { OLLAMA_HOST: 'https://gpu.example' }, 'gpu.example'],
    ['openai-compatible/x', { OPENAI_COMPATIBLE_BASE_URL: 'http://[::1]:8000/v1' }, '[::1]:8000'],
    ['azure/x', { AZURE_API_KEY: KEY, AZURE_RESOURCE_NAME: 'clinic' }, 'clinic.openai.azure.com'],
    [
      'bedrock/x',
      { AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: KEY, AWS_REGION: 'eu-west-1' },
      'bedrock-runtime.eu-west-1.amazonaws.com',
    ],
    [
      'bedrock/x',
      { AWS_BEARER_TOKEN_BEDROCK: KEY, AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL: 'https://vpc.example' },
      'vpc.example',
    ],
    ['vertex/x', { GOOGLE_VERTEX_API_KEY: KEY }, 'aiplatform.googleapis.com'],
    [
      'vertex/x',
      { GOOGLE_VERTEX_PROJECT: 'p', GOOGLE_VERTEX_LOCATION: 'europe-west4' },
      'europe-west4-aiplatform.googleapis.com',
    ],
    [
      'vertex/x',
      { GOOGLE_VERTEX_PROJECT: 'p', GOOGLE_VERTEX_LOCATION: 'eu' },
      'aiplatform.eu.rep.googleapis.com',
    ],
  ];

  it.each(places)('%s with %j goes to %s', async (model, env, host) => {
    const { destination } = await apiBackend(model, { env });
    expect(destination!.host).toBe(host);
    expect(destination!.loopback).toBe(/^(127|\[::1\])/.test(host));
  });

  it("tells the provider's own host from any other", async () => {
    const env = {
      OPENAI_API_KEY: KEY,
      AZURE_API_KEY: KEY,
      AZURE_RESOURCE_NAME: 'clinic',
      AWS_BEARER_TOKEN_BEDROCK: KEY,
      AWS_REGION: 'eu-west-1',
      GOOGLE_VERTEX_API_KEY: KEY,
    };
    const isOwn = async (model: string, baseUrl?: string) =>
      (await apiBackend(model, { env, ...(baseUrl && { baseUrl }) })).destination!.ownHost !== false;
    for (const model of ['openai/x', 'azure/x', 'bedrock/x', 'vertex/x']) {
      expect([model, await isOwn(model)]).toEqual([model, true]);
      expect([model, await isOwn(model, 'https://gateway.example/v1')]).toEqual([model, false]);
    }
    expect(await isOwn('openai/x', 'https://api.openai.com/v2')).toBe(true);
    for (const url of [
      'http://api.openai.com/v1',
      'https://api.openai.com:444/v1',
      'https://api.openai.com./v1',
    ])
      expect([url, await isOwn('openai/x', url)]).toEqual([url, false]);
    expect(await isOwn('azure/x', 'https://other.openai.azure.com/openai')).toBe(false);
    expect(await isOwn('openai-compatible/x', 'https://api.openai.com/v1')).toBe(false);
    expect(await isOwn('ollama/x', 'http://gpu.example:11434')).toBe(false);
  });

  it("names Ollama's own servers for a model that runs there", async () => {
    const { destination } = await apiBackend('ollama/x-cloud', { env: {} });
    expect(destination).toEqual({ provider: 'ollama', host: 'ollama.com', loopback: false });
  });

  it('tells an address only where it is not the usual one', async () => {
    const readParameters = async (model: string, env: Environment, baseUrl?: string) =>
      (await apiBackend(model, { env, ...(baseUrl === undefined ? {} : { baseUrl }) })).parameters;
    expect(await readParameters('openai/x', { OPENAI_API_KEY: KEY })).not.toHaveProperty('base_url');
    expect(await readParameters('ollama/x', {})).not.toHaveProperty('base_url');
    expect(await readParameters('ollama/x', {}, 'http://gpu.example:1/')).toHaveProperty(
      'base_url',
      'http://gpu.example:1/v1',
    );
    const gateway = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: 'https://gateway.example' };
    expect(await readParameters('anthropic/x', gateway)).toHaveProperty(
      'base_url',
      'https://gateway.example/v1',
    );
  });

  describe('of the process itself', () => {
    beforeAll(() => {
      process.env.OPENAI_BASE_URL = 'http://127.0.0.1:9/elsewhere';
      process.env.AWS_BEARER_TOKEN_BEDROCK = 'of-the-process';
    });
    afterAll(() => {
      delete process.env.OPENAI_BASE_URL;
      delete process.env.AWS_BEARER_TOKEN_BEDROCK;
    });

    it('are not looked at behind our back', async () => {
      expect((await ask(WIRES.openai!)).received.path).toBe('/v1/chat/completions');
      const { AWS_BEARER_TOKEN_BEDROCK: _, ...env } = WIRES.bedrock!.env;
      const signed = { ...env, AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
      const { received } = await ask({ ...WIRES.bedrock!, env: signed });
      expect(received.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=id\//);
    });
  });
});

describe('what is missing or wrong', () => {
  it.each<[string, Environment, string]>([
    ['openai/gpt-x', {}, 'openai/gpt-x needs a key: set OPENAI_API_KEY'],
    ['openai/gpt-x', { OPENAI_API_KEY: ' ' }, 'openai/gpt-x needs a key: set OPENAI_API_KEY'],
    ['openai/gpt-x', { OPENAI_API_KEY: 'canary\ncanary' }, 'OPENAI_API_KEY contains spaces, line breaks'],
    ['anthropic/x', {}, 'needs a key: set ANTHROPIC_API_KEY'],
    ['google/x', {}, 'needs a key: set GOOGLE_GENERATIVE_AI_API_KEY (or GEMINI_API_KEY or GOOGLE_API_KEY)'],
    ['gemini/x', {}, 'gemini/x needs a key: set GOOGLE_GENERATIVE_AI_API_KEY'],
    ['grok/x', {}, 'grok/x needs a key: set XAI_API_KEY'],
    ['openrouter/a/b', {}, 'openrouter/a/b needs a key: set OPENROUTER_API_KEY'],
    [
      'openai-compatible/x',
      {},
      'needs an address: set OPENAI_COMPATIBLE_BASE_URL or the option baseUrl, e.g. to http://127.0.0.1:8000/v1',
    ],
    ['azure/x', {}, 'needs a key: set AZURE_API_KEY'],
    [
      'azure/x',
      { AZURE_API_KEY: KEY },
      'azure/x needs AZURE_RESOURCE_NAME: set it, or set the option baseUrl',
    ],
    [
      'azure/x',
      { AZURE_API_KEY: KEY, AZURE_RESOURCE_NAME: 'a.example/canary' },
      'AZURE_RESOURCE_NAME contains more than',
    ],
    ['bedrock/x', {}, 'set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
    ['bedrock/x', { AWS_ACCESS_KEY_ID: 'canary' }, 'set AWS_BEARER_TOKEN_BEDROCK, or'],
    ['bedrock/x', { AWS_BEARER_TOKEN_BEDROCK: KEY }, 'bedrock/x needs AWS_REGION'],
    ['vertex/x', { GOOGLE_VERTEX_PROJECT: 'p' }, 'set GOOGLE_VERTEX_PROJECT and GOOGLE_VERTEX_LOCATION'],
    ['ollama/x', { OLLAMA_HOST: 'user:canary@host' }, 'OLLAMA_HOST contains a user name or password'],
    ['gpt-4o', {}, '"gpt-4o" is not a model krisis knows; expected provider/model'],
    ['openai/', {}, '"openai/" is not a model krisis knows'],
    ['nobody/x', {}, 'available: openai, anthropic'],
    ['toString/x', {}, 'is not a model krisis knows'],
  ])('%s with %j', async (model, env, message) => {
    const made = apiBackend(model, { env });
    await expect(made).rejects.toThrow(KrisisError);
    await expect(made).rejects.toMatchObject({
      code: expect.stringMatching(/^ERR_(API_KEY|BASE_URL|MODEL_NOT_FOUND)$/),
    });
    await expect(made).rejects.toThrow(message);
    await expect(made).rejects.not.toThrow('canary');
  });
});

it.each([
  ['gpt-oss:120b-cloud', false],
  ['gpt-oss:120b-CLOUD', false],
  ['gpt-oss:Cloud', false],
  ['gpt-oss-cloud', false],
  ['gpt-oss-cloud:latest', false],
  ['gpt-oss:cloud@sha256:0123', false],
  ['team/gpt-oss:120b-cloud ', false],
  ['gpt-oss:120b', true],
  ['cloudy:latest', true],
  ['cloud', true],
])('ollama/%s stays on this machine: %s', async (id, loopback) => {
  expect((await apiBackend(`ollama/${id}`, { env: {} })).destination).toMatchObject({ loopback });
});

it.each([
  ['openai/gpt', true],
  ['grok/x', true],
  ['openai-compatible/a/b', true],
  ['baseline/majority', false],
  ['openai', false],
  ['/x', false],
  ['constructor/x', false],
])('isApiModel(%s): %s', (model, expected) => {
  expect(isApiModel(model)).toBe(expected);
});
