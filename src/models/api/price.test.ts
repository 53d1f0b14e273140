import { describe, expect, it, vi } from 'vitest';
import { resolvePrice } from './api-backend.ts';
import { findProvider } from './providers/providers.ts';

const findPriceTable = (provider: string) => findProvider(`${provider}/x`).provider.priceTable;
const million = { inputTokens: 1e6, outputTokens: 1e6 };

describe('resolvePrice', () => {
  it.each([
    ['openai', 'gpt-4o'],
    ['anthropic', 'claude-sonnet-4-5'],
    ['google', 'gemini-2.5-flash'],
    ['vertex', 'gemini-2.5-flash'],
    ['xai', 'grok-4'],
    ['openrouter', 'openai/gpt-4o'],
    ['azure', 'gpt-4o'],
    ['bedrock', 'anthropic.claude-sonnet-4-5-20250929-v1:0'],
  ])('knows %s/%s, without a network', async (provider, model) => {
    const fetch = vi.spyOn(globalThis, 'fetch');
    const cost = await resolvePrice(findPriceTable(provider), model);
    expect(cost(million)).toBeGreaterThan(0);
    expect(cost({ inputTokens: 0, outputTokens: 0 })).toBe(0);
    expect(fetch).not.toHaveBeenCalled();
    fetch.mockRestore();
  });

  it.each([
    ['openai', 'no-such-model'],
    ['ollama', 'llama3.2'],
    ['openai-compatible', 'gpt-4o'],
  ])('has no price for %s/%s', async (provider, model) => {
    expect((await resolvePrice(findPriceTable(provider), model))(million)).toBeNull();
  });

  it('takes a price that is given', async () => {
    const cost = await resolvePrice(findPriceTable('ollama'), 'x', { input: 2, output: 3 });
    expect(cost(million)).toBe(5);
    expect(cost({ inputTokens: 500_000, outputTokens: 0 })).toBe(1);
  });

  it('has no cost where tokens were not counted', async () => {
    const cost = await resolvePrice('openai', 'gpt-4o');
    expect(cost({ inputTokens: null, outputTokens: 5 })).toBeNull();
    expect(cost({ inputTokens: 5, outputTokens: null })).toBeNull();
  });
});
