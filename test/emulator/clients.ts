import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createAzure } from '@ai-sdk/azure';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { JSONSchema7, LanguageModelV4 } from '@ai-sdk/provider';
import { createXai } from '@ai-sdk/xai';
import { batchResponseSchema, responseSchema } from '../../src/suites/task.ts';

const apiKey = 'none';

/** The clients that people really use, each pointed at an address. */
export const CLIENTS: Record<string, (url: string) => LanguageModelV4> = {
  openai: (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).chat('gpt-test'),
  'openai-compatible': (url) =>
    createOpenAICompatible({ name: 'local', baseURL: `${url}/v1`, apiKey, supportsStructuredOutputs: true })(
      'local-test',
    ),
  azure: (url) =>
    createAzure({ baseURL: `${url}/openai`, apiKey, useDeploymentBasedUrls: true }).chat('azure-test'),
  xai: (url) => createXai({ baseURL: `${url}/v1`, apiKey })('grok-test'),
  anthropic: (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey })('claude-sonnet-4-5'),
  'anthropic with a tool': (url) =>
    createAnthropic({ baseURL: `${url}/v1`, apiKey })('claude-3-haiku-20240307'),
  google: (url) => createGoogle({ baseURL: `${url}/v1beta`, apiKey })('gemini-test'),
  bedrock: (url) =>
    createAmazonBedrock({ baseURL: url, region: 'eu-west-1', apiKey })('amazon.nova-test-v1:0'),
};

const LABELS = ['present', 'absent'];
export const INSTRUCTIONS = 'Say whether the condition is present.';

export interface Ask {
  readonly labels?: readonly string[];
  readonly maxOutputTokens?: number;
  readonly abortSignal?: AbortSignal;
}

/** One case alone. */
export function askSingle(model: LanguageModelV4, text: string, options: Ask = {}) {
  const { labels = LABELS } = options;
  return ask(model, `<case>\n${text}\n</case>`, responseSchema({ labels }), options);
}

/** Several cases in one question: `case_1`, `case_2`, ... */
export function askBatch(model: LanguageModelV4, texts: readonly string[], options: Ask = {}) {
  const { labels = LABELS } = options;
  const cases = texts.map((text, i) => `<case id="case_${i + 1}">\n${text}\n</case>`);
  return ask(model, cases.join('\n'), batchResponseSchema({ labels }), options);
}

async function ask(
  model: LanguageModelV4,
  text: string,
  schema: object,
  { maxOutputTokens, abortSignal }: Ask,
) {
  const result = await model.doGenerate({
    prompt: [
      { role: 'system', content: INSTRUCTIONS },
      { role: 'user', content: [{ type: 'text', text }] },
    ],
    responseFormat: { type: 'json', schema: schema as JSONSchema7, name: 'answer' },
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(abortSignal !== undefined && { abortSignal }),
  });
  const said = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { ...result, said, promptChars: INSTRUCTIONS.length + text.length };
}
