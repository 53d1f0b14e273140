import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { batchResponseSchema, responseSchema } from './task.ts';

const task = { labels: [1, 2, '3a'] };
const good = { prediction: '3a', abstained: false, confidence: 0.7 };

describe('responseSchema', () => {
  const reply = z.fromJSONSchema(responseSchema(task) as never);

  it.each([
    [good],
    [{ ...good, prediction: '1' }],
    [{ prediction: null, abstained: true, confidence: null }],
    [{ ...good, confidence: 0 }],
    [{ ...good, confidence: 1 }],
  ])('takes %j', (value) => {
    expect(reply.safeParse(value).success).toBe(true);
  });

  it.each([
    [{ ...good, prediction: 1 }],
    [{ ...good, prediction: '3' }],
    [{ ...good, prediction: '' }],
    [{ ...good, abstained: 'false' }],
    [{ ...good, abstained: null }],
    [{ ...good, confidence: '0.7' }],
    [{ prediction: '1', abstained: false }],
    [{ ...good, why: 'because' }],
  ])('refuses %j', (value) => {
    expect(reply.safeParse(value).success).toBe(false);
  });

  it('leaves the range of the confidence to the metrics, which count what is outside', () => {
    expect(reply.safeParse({ ...good, confidence: 85 }).success).toBe(true);
  });
});

describe('batchResponseSchema', () => {
  const reply = z.fromJSONSchema(batchResponseSchema(task) as never);
  const entry = { id: 'case_1', ...good };

  it.each([
    [{ results: [] }],
    [{ results: [entry, { id: 'case_2', prediction: null, abstained: true, confidence: null }] }],
  ])('takes %j', (value) => {
    expect(reply.safeParse(value).success).toBe(true);
  });

  it.each([
    [[entry]],
    [{ results: entry }],
    [{ results: [good] }],
    [{ results: [{ ...entry, id: 1 }] }],
    [{ results: [{ ...entry, prediction: 1 }] }],
    [{ results: [{ ...entry, why: 'because' }] }],
    [{ results: [], n: 0 }],
  ])('refuses %j', (value) => {
    expect(reply.safeParse(value).success).toBe(false);
  });
});

describe('every object of the schemas', () => {
  it.each([
    responseSchema(task),
    batchResponseSchema(task),
    batchResponseSchema(task).properties.results.items,
  ])('requires all of its properties and allows no other, as strict structured output wants it', (schema) => {
    expect(schema.required).toEqual(Object.keys(schema.properties));
    expect(schema.additionalProperties).toBe(false);
  });
});
