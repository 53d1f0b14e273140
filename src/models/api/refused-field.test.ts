import { APICallError, TypeValidationError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { refusedField } from './refused-field.ts';

/** An error as the SDKs throw it when a reply does not have this form. */
function createRefusal(schema: z.ZodType, value: unknown): unknown {
  const { error } = schema.safeParse(value);
  const cause = new TypeValidationError({ value, cause: error });
  return new APICallError({ message: 'Invalid JSON response', url: '', requestBodyValues: {}, cause });
}

const part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('reasoning'), status: z.string() }),
  z.object({
    type: z.literal('message'),
    content: z.array(z.union([z.string(), z.object({ text: z.string() })])),
  }),
]);
const reply = z.object({ output: z.array(part), usage: z.record(z.string(), z.number()).optional() });
const findField = (value: unknown) => refusedField(createRefusal(reply, value));

describe('refusedField', () => {
  it.each([
    [{ output: [{ type: 'reasoning' }] }, 'output[0].status: expected string'],
    [{ output: 'none' }, 'output: expected array'],
    [[], 'the reply: expected object'],
    [{ output: [{ type: 'message', content: [{ text: 1 }] }] }, 'output[0].content[0].text: expected string'],
    [{ output: [{ type: 'other' }] }, 'output[0].type: unexpected value'],
  ])('names the field and what was expected there: %j', (value, text) => {
    expect(findField(value)).toEqual({ text, closed: text });
  });

  it('is not closed when a name in the path may be anything', () => {
    const field = findField({ output: [], usage: { 'Anna Quibblewick': 'x' } });
    expect(field).toEqual({ text: 'usage["Anna Quibblewick"]: expected number', closed: null });
  });

  it('shortens a name that is no name', () => {
    expect(findField({ output: [], usage: { ['x'.repeat(900)]: 'x' } })!.text.length).toBeLessThan(80);
  });

  it('is null for every other error', () => {
    for (const other of [new Error('x'), null, 'x', new Error('x', { cause: { issues: [] } })])
      expect(refusedField(other)).toBeNull();
  });
});
