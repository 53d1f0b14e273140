import type { TokenUsage } from '../../core/index.ts';
import type { ApiOptions } from './api-options.ts';

type Cost = (usage: TokenUsage) => number | null;

/** Our names of providers and the table's. Where a model runs on one's own machine, or nobody knows where, there is no price. */
const TABLE_NAMES: Readonly<Record<string, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  vertex: 'google',
  xai: 'x-ai',
  openrouter: 'openrouter',
  azure: 'azure',
  bedrock: 'aws',
};

/**
 * What tokens of a model cost in US dollars: by a price that was given, else by a table that comes with its package and is asked without a network. Null where there is none: an unknown price is not 0.
 * Cached input counts as fresh, so the number is rather too high than too low.
 */
export async function priceOf(provider: string, modelId: string, price?: ApiOptions['price']): Promise<Cost> {
  if (price !== undefined)
    return known((input, output) => (input * price.input + output * price.output) / 1e6);
  const providerId = TABLE_NAMES[provider];
  if (providerId === undefined) return () => null;
  const { calcPrice } = await import('@pydantic/genai-prices');
  return known(
    (input, output) =>
      calcPrice({ input_tokens: input, output_tokens: output }, modelId, { providerId })?.total_price ?? null,
  );
}

function known(cost: (input: number, output: number) => number | null): Cost {
  return ({ inputTokens, outputTokens }) =>
    inputTokens === null || outputTokens === null ? null : cost(inputTokens, outputTokens);
}
