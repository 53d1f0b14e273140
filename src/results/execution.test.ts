import { describe, expect, it } from 'vitest';
import type { CallTotals } from '../store/journal.ts';
import { totalsOf } from '../store/memory-journal.ts';
import { extrasOf } from './execution.ts';

const extras = (totals: Partial<CallTotals>, more: Partial<Parameters<typeof extrasOf>[0]> = {}) =>
  extrasOf({
    batchSize: 8,
    maxConcurrency: 'auto',
    repeats: 2,
    nRecords: 10,
    nApiBatches: 4,
    elapsedSeconds: 4,
    totals: { ...totalsOf([]), ...totals },
    templates: [],
    promptModes: [],
    waitedSeconds: 1.5,
    nRepaired: 0,
    simulated: false,
    ...more,
  });

describe('extrasOf', () => {
  it('says how fast it went, counting every repeat', () => {
    expect(extras({})).toMatchObject({ elapsed_seconds: 4, records_per_second: 5, max_concurrency: 'auto' });
    expect(extras({}, { elapsedSeconds: 0 }).records_per_second).toBeNull();
  });

  it.each([
    [null, null, null],
    [10, null, 10],
    [null, 3, 3],
    [0, 0, 0],
    [10, 3, 13],
  ])('adds %s and %s tokens to %s', (inputTokens, outputTokens, total) => {
    expect(extras({ inputTokens, outputTokens }).token_total).toBe(total);
  });

  it('gives the middle and the slow end of the latencies', () => {
    // Of 0, 1, ..., 20 seconds, in any order: the 11th is 10, the 20th is 19.
    const latencies = Array.from({ length: 21 }, (_, i) => (i * 8) % 21);
    expect(extras({ latencies })).toMatchObject({ latency_p50_seconds: 10, latency_p95_seconds: 19 });
    expect(extras({})).toMatchObject({ latency_p50_seconds: null, latency_p95_seconds: null });
  });

  it('counts templates, and the rows that used them', () => {
    const templates = [
      { mode: 'batch', prompt: 'a', n: 7 },
      { mode: 'single', prompt: 'b', n: 2 },
    ];
    expect(extras({}, { templates })).toMatchObject({
      n_prompts_captured: 9,
      prompt_templates_count: 2,
      prompt_templates: [
        { prompt_mode: 'batch', prompt: 'a' },
        { prompt_mode: 'single', prompt: 'b' },
      ],
    });
  });

  it('is strict JSON', () => {
    const given = extras({ modelIds: ['m'], rateLimits: 3 });
    expect(JSON.parse(JSON.stringify(given))).toEqual(given);
    expect(given).toMatchObject({ n_rate_limits: 3, waited_seconds: 1.5, model_ids: ['m'] });
  });
});
