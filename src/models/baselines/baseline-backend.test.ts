import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../core/errors.ts';
import type { Task } from '../../suites/task.ts';
import { baselineBackend } from './create-baseline.ts';

const task = { id: 'demo/yes-no' } as Task;
const record = (id: string) => ({ id, features: { age: 61 } });

describe('baselineBackend', () => {
  const backend = baselineBackend('echo', task, ({ id }) => ({
    prediction: id,
    abstained: false,
    rawResponse: `said ${id}`,
  }));

  it('completes an answer: no prompt, no tokens, no confidence unless the rule gives one', async () => {
    expect(await backend.evaluate(record('a'), task)).toEqual({
      prediction: 'a',
      abstained: false,
      confidence: null,
      confidenceSource: 'stated',
      rawResponse: 'said a',
      prompt: null,
      promptMode: 'single',
      inputTokens: null,
      outputTokens: null,
      totalTokens: null,
    });
  });

  it('answers a batch record by record, in order, and says that each was asked alone', async () => {
    const responses = await backend.evaluateBatch([record('a'), record('b')], task);
    expect(responses.map(({ prediction, promptMode }) => [prediction, promptMode])).toEqual([
      ['a', 'single'],
      ['b', 'single'],
    ]);
    expect(await backend.evaluateBatch([], task)).toEqual([]);
  });

  it('refuses a task it was not made for', async () => {
    const asked = backend.evaluate(record('a'), { id: 'demo/other' } as Task);
    await expect(asked).rejects.toThrow(KrisisError);
    await expect(asked).rejects.toThrow(
      'baseline/echo was made for demo/yes-no but was asked demo/other; create one with the suite of demo/other',
    );
  });
});
