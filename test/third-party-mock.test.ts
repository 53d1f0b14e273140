import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiBackend } from '../src/models/api/api-backend.ts';
import { PROVIDERS } from '../src/models/api/providers/providers.ts';
import { task } from './engine-fixture.ts';

/**
 * Every provider against `@copilotkit/aimock`, whose replies its authors check against the real services every day: our own emulator can only contain what we thought of.
 */

const ANSWER = { reasoning: 'Short.', abstained: false, prediction: 'no', confidence: 0.75, reason: null };
const BATCH = {
  results: ['case_2', 'case_1'].map((id, i) => ({ id, ...ANSWER, confidence: 0.25 * (i + 1) })),
};
const REPLIES: Readonly<Record<string, object>> = {
  plain: { content: JSON.stringify(ANSWER) },
  reasoned: { content: JSON.stringify(ANSWER), reasoning: 'Let me think about that.' },
  batch: { content: JSON.stringify(BATCH) },
  cut: { content: '{"reasoning": "Sh', finishReason: 'length' },
  counted: { content: JSON.stringify(ANSWER), usage: { prompt_tokens: 412, completion_tokens: 34 } },
  limited: { error: { message: 'Slow down', type: 'rate_limit_error', code: 'rate_limit' }, status: 429 },
  broken: { error: { message: 'It broke', type: 'server_error' }, status: 500 },
};

const mock = new LLMock({ port: 0, logLevel: 'silent' });
for (const [word, reply] of Object.entries(REPLIES))
  mock.addFixture({ match: { userMessage: new RegExp(`say_${word}\\b`) }, response: reply as never });
beforeAll(() => mock.start());
afterAll(() => mock.stop());

const KEY = 'canary-key-0123456789';
const ENV = {
  ...Object.fromEntries(
    ['OPENAI', 'ANTHROPIC', 'GOOGLE', 'XAI', 'OPENROUTER', 'AZURE'].map((name) => [`${name}_API_KEY`, KEY]),
  ),
  AZURE_RESOURCE_NAME: 'krisis',
  AWS_BEARER_TOKEN_BEDROCK: KEY,
  AWS_REGION: 'us-east-1',
  GOOGLE_VERTEX_API_KEY: KEY,
};

/** Models, and where the mock serves their provider. */
const MODELS: readonly (readonly [model: string, path: string])[] = [
  ['openai/gpt-4o-mini', '/v1'],
  ['anthropic/claude-sonnet-4-5', '/v1'],
  ['google/gemini-2.5-flash', '/v1beta'],
  ['xai/grok-4', '/v1'],
  ['openrouter/openai/gpt-4o-mini', '/api/v1'],
  ['azure/gpt-4o-mini', '/openai'],
  ['bedrock/anthropic.claude-3-5-sonnet-20241022-v2:0', ''],
  ['vertex/gemini-2.5-flash', '/v1/projects/p/locations/global/publishers/google'],
  ['ollama/llama3.2', '/v1'],
  ['openai-compatible/my-model', '/v1'],
];

it('every provider is here', () => {
  expect(MODELS.map(([model]) => model.split('/')[0]).sort()).toEqual([...PROVIDERS].sort());
});

describe.each(MODELS)('%s', (model, path) => {
  const backend = () => apiBackend(model, { baseUrl: `${mock.url}${path}`, env: ENV, timeoutSeconds: 20 });
  const about = (word: string) => ({ id: word, features: { note: `say_${word}` } });
  const ask = async (word: string) => (await backend()).evaluate(about(word), task);

  it.each(['plain', 'reasoned'])('answers: %s', async (word) => {
    const { prediction, confidence, invalid } = await ask(word);
    expect({ prediction, confidence, invalid }).toEqual({
      prediction: 'no',
      confidence: 0.75,
      invalid: undefined,
    });
  });

  it('answers a batch, matched by id', async () => {
    const rows = await (await backend()).evaluateBatch([about('batch'), about('batch')], task);
    expect(rows.map(({ confidence }) => confidence)).toEqual([0.5, 0.25]);
  });

  it('counts tokens', async () => {
    const { inputTokens, outputTokens } = await ask('counted');
    expect([inputTokens, outputTokens]).toEqual([412, 34]);
  });

  it('has been cut off', async () => {
    await expect(ask('cut')).rejects.toMatchObject({ fault: 'truncated' });
  });

  it('limits the rate, and breaks', async () => {
    await expect(ask('limited')).rejects.toMatchObject({ fault: 'rate_limit', status: 429 });
    await expect(ask('broken')).rejects.toMatchObject({ fault: 'server', status: 500 });
  });
});
