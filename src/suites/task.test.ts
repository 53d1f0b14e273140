import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { responseSchema } from './task.ts';

const reply = z.fromJSONSchema(responseSchema({ labels: [1, 2, '3a'] }) as never);
const good = { prediction: '3a', abstained: false, confidence: 0.7 };

describe('responseSchema', () => {
  it.each([
    [good],
    [{ ...good, prediction: 1 }],
    [{ prediction: null, abstained: true, confidence: null }],
    [{ ...good, confidence: 0 }],
    [{ ...good, confidence: 1 }],
  ])('takes %j', (value) => {
    expect(reply.safeParse(value).success).toBe(true);
  });

  it.each([
    [{ ...good, prediction: '1' }],
    [{ ...good, prediction: 3 }],
    [{ ...good, abstained: 'false' }],
    [{ ...good, confidence: 1.01 }],
    [{ ...good, confidence: -0.01 }],
    [{ ...good, confidence: '0.7' }],
    [{ prediction: 1, abstained: false }],
    [{ ...good, why: 'because' }],
  ])('refuses %j', (value) => {
    expect(reply.safeParse(value).success).toBe(false);
  });
});
