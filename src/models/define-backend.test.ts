import { describe, expect, it } from 'vitest';
import { task } from '../../test/engine-fixture.ts';
import { complete, defineBackend, mapBatch } from './define-backend.ts';

const record = (id: string) => ({ id, features: { value: 1 } });

describe('defineBackend', () => {
  it('completes answers, and answers a batch record by record, in order', async () => {
    const asked: string[] = [];
    const backend = defineBackend({
      name: 'echo',
      evaluate: ({ id }) => {
        asked.push(id);
        return { prediction: id, abstained: false };
      },
    });
    const batch = await backend.evaluateBatch([record('a'), record('b')], task);
    expect(batch.map(({ prediction, promptMode }) => [prediction, promptMode])).toEqual([
      ['a', 'single'],
      ['b', 'single'],
    ]);
    expect(await backend.evaluate(record('c'), task)).toEqual({
      prediction: 'c',
      abstained: false,
      confidence: null,
      confidenceSource: 'stated',
      rawResponse: null,
      prompt: null,
      promptMode: 'single',
      inputTokens: null,
      outputTokens: null,
      totalTokens: null,
    });
    expect(asked).toEqual(['a', 'b', 'c']);
  });

  it('uses the batch function where there is one', async () => {
    const backend = defineBackend({
      name: 'both',
      evaluate: () => ({ prediction: 'no', abstained: false }),
      evaluateBatch: (records) => records.map(() => ({ prediction: 'yes', abstained: false })),
    });
    expect((await backend.evaluateBatch([record('a')], task))[0]!.prediction).toBe('yes');
    expect((await backend.evaluate(record('a'), task)).prediction).toBe('no');
  });

  it('hands on its settings', () => {
    const settings = { maxRetries: 7, retryBaseSeconds: 2, parameters: { temperature: 0 }, simulated: true };
    const backend = defineBackend({
      name: 'x',
      evaluate: () => ({ prediction: null, abstained: true }),
      ...settings,
    });
    expect(backend).toMatchObject({ name: 'x', ...settings });
  });
});

describe('mapBatch', () => {
  it('stops at the first record that cannot be answered', async () => {
    const asked: string[] = [];
    const batch = mapBatch(async ({ id }) => {
      asked.push(id);
      if (id === 'b') throw new Error('no b');
      return complete({ prediction: 'yes', abstained: false }, 'batch');
    });
    await expect(batch([record('a'), record('b'), record('c')], task)).rejects.toThrow('no b');
    expect(asked).toEqual(['a', 'b']);
  });
});

describe('complete', () => {
  it('takes undefined for left out', () => {
    const answer = { prediction: 'yes', abstained: false, inputTokens: undefined, promptMode: undefined };
    expect(complete(answer as never, 'single')).toMatchObject({ inputTokens: null, promptMode: 'single' });
  });

  it('keeps what was given', () => {
    const given = { prediction: 'yes', abstained: false, confidence: 0, invalid: 'why', modelId: 'm-1' };
    expect(complete(given, 'batch')).toMatchObject(given);
  });
});
