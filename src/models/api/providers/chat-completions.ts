import { type ModelAccess, type ModelRequest, type SdkSettings, TOP_LOGPROBS } from './provider.ts';

/** Fields that the SDK passes on as they are. */
export const CHAT_LOGPROBS = { logprobs: true, top_logprobs: TOP_LOGPROBS };

/** How a server that speaks chat completions is asked for log-probabilities; `name` is that of the SDK's provider, in camelCase. */
export function chatAccess(name: string): Pick<ModelAccess, 'callOptions' | 'hasLogprobs'> {
  return {
    hasLogprobs: true,
    callOptions: ({ logprobs, ...limits }) => ({
      ...limits,
      ...(logprobs && { providerOptions: { [name]: CHAT_LOGPROBS } }),
    }),
  };
}

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
