import type { Destination } from '../models/index.ts';

const PATIENCE_MS = 5000;
/** What tells weights apart, where a server says it. */
const TELLING = ['root', 'max_model_len', 'quantization', 'parent', 'digest'];

/**
 * What a server of one's own says about the model that it serves; null where it says nothing. A name says little about weights: workers whose servers say different things are not mixed.
 */
export async function servedModel(
  { provider }: Destination,
  id: string,
  baseUrl: string | undefined,
): Promise<Record<string, unknown> | null> {
  if (baseUrl === undefined || (provider !== 'openai-compatible' && provider !== 'ollama')) return null;
  try {
    const key = process.env.OPENAI_COMPATIBLE_API_KEY;
    const reply = await fetch(`${baseUrl.replace(/\/+$/, '')}/models`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'error',
      ...(provider === 'openai-compatible' && key && { headers: { authorization: `Bearer ${key}` } }),
    });
    const { data } = (await reply.json()) as { data?: readonly Record<string, unknown>[] };
    const found = data?.find((model) => model.id === id);
    const told = TELLING.filter((name) => found?.[name] != null).map((name) => [name, found![name]]);
    return told.length === 0 ? null : Object.fromEntries(told);
  } catch {
    return null;
  }
}
