import type { TokenUsage } from '../../core/index.ts';
import type { ApiOptions } from './api-options.ts';

type Cost = (usage: TokenUsage) => number | null;

/**
 * What tokens of a model cost in US dollars: by the price given, or by the table in `@pydantic/genai-prices`, which needs no network. Null where no price is known: an unknown
 * price is not 0. Cached input counts as fresh input, so the estimate is rather too high than too low.
 */
export async function priceOf(
  priceTable: string | undefined,
  modelId: string,
  price?: ApiOptions['price'],
): Promise<Cost> {
  if (price !== undefined)
    return withKnownUsage((input, output) => (input * price.input + output * price.output) / 1e6);
  if (priceTable === undefined) return () => null;
  const { calcPrice } = await import('@pydantic/genai-prices');
  return withKnownUsage(
    (input, output) =>
      calcPrice({ input_tokens: input, output_tokens: output }, modelId, { providerId: priceTable })
        ?.total_price ?? null,
  );
}

function withKnownUsage(cost: (input: number, output: number) => number | null): Cost {
  return ({ inputTokens, outputTokens }) =>
    inputTokens === null || outputTokens === null ? null : cost(inputTokens, outputTokens);
}
