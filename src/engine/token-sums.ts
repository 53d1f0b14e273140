import type { TokenUsage } from '../core/index.ts';
import type { BackendError, BackendResponse } from '../models/index.ts';

export function sumTokens(responses: readonly (BackendResponse | null)[]): TokenUsage {
  let inputTokens: number | null = null;
  let outputTokens: number | null = null;
  for (const response of responses) {
    if (response?.inputTokens != null) inputTokens = (inputTokens ?? 0) + response.inputTokens;
    if (response?.outputTokens != null) outputTokens = (outputTokens ?? 0) + response.outputTokens;
  }
  // Shares of a batch are fractions: their sum is not.
  return { inputTokens: whole(inputTokens), outputTokens: whole(outputTokens) };
}

function whole(sum: number | null): number | null {
  return sum === null ? null : Math.round(sum * 1e6) / 1e6;
}

/** The usage that a failed call reports; without a report, that of the rows it brought. */
export function usageOf({ usage, partial }: BackendError): TokenUsage {
  return isReported(usage) ? usage : sumTokens(partial);
}

/** Whether a provider reported any usage. */
export function isReported({ inputTokens, outputTokens }: TokenUsage): boolean {
  return inputTokens !== null || outputTokens !== null;
}

export function tokensOf({ inputTokens, outputTokens }: TokenUsage): number {
  return (inputTokens ?? 0) + (outputTokens ?? 0);
}
