import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { batchResponseSchema, responseSchema } from './task.ts';

const task = { labels: [1, 2, '3a'] };
const good = { reasoning: null, abstained: false, prediction: '3a', confidence: 0.7, reason: null };
const deferred = { ...good, abstained: true, prediction: null, confidence: null, reason: 'uncertain' };

describe('responseSchema', () => {
  const reply = z.fromJSONSchema(responseSchema(task) as never);

  it.each([
    [good],
    [{ ...good, prediction: '1' }],
    [{ ...good, reasoning: 'eGFR 52.' }],
    [deferred],
    [{ ...deferred, confidence: 0.4, reason: null }],
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
    [{ prediction: '3a', abstained: false, confidence: 0.7 }],
    [{ ...deferred, reason: 'because' }],
    [{ ...good, reasoning: 1 }],
    [{ ...good, why: 'because' }],
  ])('refuses %j', (value) => {
    expect(reply.safeParse(value).success).toBe(false);
  });

  it('asks for reasoning first and for the reason last', () => {
    expect(responseSchema(task).required).toEqual([
      'reasoning',
      'abstained',
      'prediction',
      'confidence',
      'reason',
    ]);
  });

  it("offers the task's own reasons only where the arm gives the rule", () => {
    const own = { ...task, deferralReasons: { missing_sodium: { general: 'data_missing' } } } as const;
    expect(responseSchema({ ...own, defaultArm: 'natural' })).toEqual(responseSchema(task));
    const instructed = JSON.stringify(responseSchema({ ...own, defaultArm: 'instructed' }));
    expect(instructed).toContain('"enum":["missing_sodium","other"]');
    expect(instructed).not.toContain('data_missing');
  });

  it('is that of the first version without reasoning', () => {
    const plain = responseSchema(task, { reasoning: false });
    expect(plain.required).toEqual(['prediction', 'abstained', 'confidence']);
    expect(plain.properties).toEqual({
      prediction: { anyOf: [{ type: 'string', enum: ['1', '2', '3a'] }, { type: 'null' }] },
      abstained: { type: 'boolean' },
      confidence: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    });
  });

  it('leaves the range of the confidence to the metrics, which count what is outside', () => {
    expect(reply.safeParse({ ...good, confidence: 85 }).success).toBe(true);
  });
});

describe('batchResponseSchema', () => {
  const reply = z.fromJSONSchema(batchResponseSchema(task) as never);
  const entry = { id: 'case_1', ...good };

  it.each([[{ results: [] }], [{ results: [entry, { id: 'case_2', ...deferred }] }]])('takes %j', (value) => {
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
    responseSchema(task, { reasoning: false }),
    batchResponseSchema(task),
    batchResponseSchema(task).properties.results.items,
  ])('requires all of its properties and allows no other, as strict structured output wants it', (schema) => {
    expect(schema.required).toEqual(Object.keys(schema.properties));
    expect(schema.additionalProperties).toBe(false);
  });
});
