import { describe, expect, it } from 'vitest';
import type { AskedTrait } from './asked.ts';
import { bucketsSchema, judgeSchema } from './judge-prompt.ts';

const boolean: AskedTrait = { name: 'a', kind: 'boolean', description: '' };
const score: AskedTrait = { name: 'b', kind: 'score', min: 0, max: 1, description: '' };
const literal: AskedTrait = { name: 'c', kind: 'literal', classes: ['x', 'y'], description: '' };

/** Every object in a schema. */
function objectsIn(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.values(schema).flatMap(objectsIn);
  return 'properties' in schema ? [schema as Record<string, unknown>, ...inner] : inner;
}

describe('judgeSchema', () => {
  it('is strict in every object', () => {
    const objects = objectsIn(judgeSchema([boolean, score]));
    expect(objects).toHaveLength(3);
    for (const { properties, required, additionalProperties } of objects) {
      expect(required).toEqual(Object.keys(properties as object));
      expect(additionalProperties).toBe(false);
    }
  });

  it('allows the types of the traits asked for', () => {
    const valueSchema = (traits: AskedTrait[]) =>
      judgeSchema(traits).properties.traits.items.properties.value;
    expect(valueSchema([boolean])).toEqual({ type: 'boolean' });
    expect(valueSchema([])).toEqual({ type: 'boolean' });
    expect(valueSchema([literal, boolean, score])).toEqual({
      anyOf: [{ type: 'boolean' }, { type: 'string' }, { type: 'number' }],
    });
  });

  it('is the same whatever the names, so that a provider compiles it once', () => {
    expect(judgeSchema([{ ...literal, name: 'other', classes: ['z'] }])).toEqual(judgeSchema([literal]));
  });
});

it('bucketsSchema has a list for each bucket', () => {
  const { properties, required } = bucketsSchema(['tp', 'fn']);
  expect(properties).toEqual({
    tp: { type: 'array', items: { type: 'string' } },
    fn: { type: 'array', items: { type: 'string' } },
  });
  expect(required).toEqual(['tp', 'fn']);
});
