import { strictObject } from '../../core/index.ts';
import { VERDICTS } from '../verdict.ts';
import type { AskedTrait } from './asked.ts';

const TYPES = { boolean: 'boolean', score: 'number', literal: 'string' } as const;
const TEXT = { type: 'string' as const };

/**
 * The JSON schema of a judge's reply, in the form that every provider's structured output takes (as `responseSchema`). Ids and names are plain text, not lists of
 * allowed values: providers compile a schema when they first see it, and this one is the same for all calls of a rubric.
 *
 * @example
 * ```ts
 * judgeSchema([]).properties.verdicts.items.required // => ['id', 'verdict', 'quotes', 'value']
 * ```
 */
export function judgeSchema(traits: readonly AskedTrait[]) {
  const kinds = [...new Set(traits.map(({ kind }) => kind))].sort();
  const values = (kinds.length === 0 ? (['boolean'] as const) : kinds).map((kind) => ({ type: TYPES[kind] }));
  return strictObject({
    verdicts: list(
      strictObject({
        id: TEXT,
        verdict: { type: 'string' as const, enum: [...VERDICTS] },
        quotes: list(TEXT),
        value: TEXT,
      }),
    ),
    traits: list(
      strictObject({
        name: TEXT,
        reason: TEXT,
        quotes: list(TEXT),
        value: values.length === 1 ? values[0]! : { anyOf: values },
      }),
    ),
  });
}

/** The schema of the `buckets` protocol: one list of texts for each bucket. */
export function bucketsSchema(buckets: readonly string[]) {
  return strictObject(Object.fromEntries(buckets.map((bucket) => [bucket, list(TEXT)])));
}

function list<T extends object>(items: T) {
  return { type: 'array' as const, items };
}
