import type { ModelRequest, SdkSettings } from './provider.ts';

/** A model behind any server that speaks chat completions. */
export async function chatCompletions(
  name: string,
  { id, structuredOutput }: ModelRequest,
  settings: Omit<SdkSettings, 'apiKey'> & Partial<SdkSettings>,
) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({
    name,
    ...settings,
    // Without it the SDK does not send the schema.
    supportsStructuredOutputs: structuredOutput,
  }).chatModel(id);
}
