import { describe, expect, it } from 'vitest';
import { isJobOf, isQueueName, jobId, queueName } from './protocol.ts';

describe('names in the queue', () => {
  it('are different for models whose readable part is the same, and for secrets', () => {
    const [a, b] = [queueName('openai/GPT-5', 'secret'), queueName('openai/gpt.5', 'secret')];
    expect(a).toMatch(/^krisis-[\d-]+-openai-gpt-5-[0-9a-f]{8}-[0-9a-f]{8}$/);
    expect(a).not.toBe(b);
    expect(queueName('openai/GPT-5', 'other')).not.toBe(a);
    expect([isQueueName(a), isQueueName('krisis-a:b'), isQueueName('other')]).toEqual([true, false, false]);
  });

  it('hold no colon, which BullMQ refuses, and are the same in every process', () => {
    expect(jobId('run', 'abc_-1', 2)).toBe('run.abc_-1.2');
    const hashed = jobId('run', 'judge:a b', 0);
    expect(hashed).toMatch(/^run\.[0-9a-f]{32}\.0$/);
    expect(jobId('run', 'judge:a b', 0)).toBe(hashed);
    expect([isJobOf('run', hashed), isJobOf('ru', hashed)]).toEqual([true, false]);
  });
});
