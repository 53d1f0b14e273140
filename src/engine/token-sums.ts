import { type TokenUsage, tokenCount } from '../core/text-request.ts';
import type { BackendResponse } from '../models/backend.ts';
import type { BackendError } from '../models/backend-error.ts';

type Responses = readonly (BackendResponse | null)[];

/** The tokens of all responses. Null where none reports any, or one reports something that is not a count. */
export function sumTokens(responses: Responses): TokenUsage {
  const sum = (key: keyof TokenUsage) => {
    const reported = responses.flatMap((response) => response?.[key] ?? []).map(tokenCount);
    if (reported.length === 0) return null;
    return reported.reduce((total, n) => (total === null || n === null ? null : total + n));
  };
  return { inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') };
}

/** The usage that a failed call reports; without a report, that of the rows it brought. */
export function readUsage({ usage, partial }: BackendError): TokenUsage {
  if (!isReported(usage)) return sumTokens(partial);
  return { inputTokens: tokenCount(usage.inputTokens), outputTokens: tokenCount(usage.outputTokens) };
}

/** A count of more than this many times what a call can take is an error of the provider, not a bill. */
export const MAX_OVERRUN = 10;

/** Usage without counts that a call cannot have taken. */
export function possibleUsage(usage: TokenUsage, most: TokenUsage | null): TokenUsage {
  const unlessAbove = (tokens: number | null, limit: number | null | undefined) =>
    tokens !== null && tokens > MAX_OVERRUN * (limit ?? Number.MAX_VALUE) ? null : tokens;
  return {
    inputTokens: unlessAbove(usage.inputTokens, most?.inputTokens),
    outputTokens: unlessAbove(usage.outputTokens, most?.outputTokens),
  };
}

/** How many times over a call took what it should take at most, up to `MAX_OVERRUN`; 1 where it stayed within it or reports nothing. */
export function overrun(usage: TokenUsage, most: TokenUsage | null): number {
  const ratio = (key: keyof TokenUsage) => (usage[key] ?? 0) / (most?.[key] || Number.POSITIVE_INFINITY);
  return Math.min(MAX_OVERRUN, Math.max(1, ratio('inputTokens'), ratio('outputTokens')));
}

/** Responses without the counts that the usage of their call leaves out. */
export function withUsage<T extends BackendResponse | null>(
  responses: readonly T[],
  usage: TokenUsage,
): readonly T[] {
  const dropped = (['inputTokens', 'outputTokens'] as const).filter((key) => usage[key] === null);
  if (dropped.length === 0) return responses;
  const none = Object.fromEntries([...dropped, 'totalTokens'].map((key) => [key, null]));
  return responses.map((response) =>
    dropped.some((key) => response?.[key] != null) ? { ...response, ...none } : response,
  );
}

/** Whether a provider reported any usage. */
export function isReported({ inputTokens, outputTokens }: TokenUsage): boolean {
  return inputTokens !== null || outputTokens !== null;
}

export function addTokens({ inputTokens, outputTokens }: TokenUsage): number {
  return (inputTokens ?? 0) + (outputTokens ?? 0);
}
