import type { ModelRequest } from './provider.ts';

interface ChatSettings {
  readonly baseURL: string;
  readonly apiKey?: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

/** A model behind any server that speaks chat completions. */
export async function chatCompletions(
  name: string,
  { id, structuredOutput }: ModelRequest,
  { baseURL, apiKey, fetch }: ChatSettings,
) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({
    name,
    baseURL,
    fetch,
    // Without it the SDK does not send the schema.
    supportsStructuredOutputs: structuredOutput,
    ...(apiKey === undefined ? {} : { apiKey }),
  }).chatModel(id);
}
