import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { type FileShape, fileCodec, fileForm, fileKey, fromFile, type Shape, toFile } from './codec.ts';

const limits = z.object({ lowerBound: z.number(), upperBound: z.number().nullable() });
const schema = z.object({
  nRows: z.int().min(0),
  errorsPer100: fileKey('errors_per_100', z.number()),
  byMetric: z.record(z.string(), limits),
  range: z.tuple([z.number(), limits]),
  best: limits.nullable(),
  note: z.string().optional(),
  limitsOrName: z.union([z.string(), limits]),
  labels: z.array(z.union([z.string(), z.number()])).readonly(),
});
const value: Shape<typeof schema> = {
  nRows: 3,
  errorsPer100: 1.5,
  byMetric: {
    eGFR: { lowerBound: 1, upperBound: null },
    'reading accuracy': { lowerBound: 0, upperBound: 1 },
  },
  range: [1, { lowerBound: 0, upperBound: 2 }],
  best: null,
  limitsOrName: { lowerBound: 4, upperBound: 5 },
  labels: ['A1c', 2],
};
const file = {
  n_rows: 3,
  errors_per_100: 1.5,
  by_metric: {
    eGFR: { lower_bound: 1, upper_bound: null },
    'reading accuracy': { lower_bound: 0, upper_bound: 1 },
  },
  range: [1, { lower_bound: 0, upper_bound: 2 }],
  best: null,
  limits_or_name: { lower_bound: 4, upper_bound: 5 },
  labels: ['A1c', 2],
};

describe('toFile', () => {
  it('spells keys of objects in snake_case, in the order of the schema, and leaves keys of records alone', () => {
    expect(JSON.stringify(toFile(schema, value))).toBe(JSON.stringify(file));
    expect(toFile(z.record(z.string(), z.number()), { eGFR: 60 })).toEqual({ eGFR: 60 });
  });

  it('takes the option of a union that fits', () => {
    expect(toFile(schema, { ...value, limitsOrName: 'nRows' }).limits_or_name).toBe('nRows');
    const outcome = z.discriminatedUnion('rowKind', [
      z.object({ rowKind: z.literal('a'), nRight: z.int() }),
      z.object({ rowKind: z.literal('b'), whyNot: z.string() }),
    ]);
    const written = toFile(outcome, { rowKind: 'b', whyNot: 'nRight' });
    expect(written).toEqual({ row_kind: 'b', why_not: 'nRight' });
    expect(fromFile(outcome, written)).toEqual({ rowKind: 'b', whyNot: 'nRight' });
  });

  it('leaves out what the schema does not name, unless the object is open', () => {
    const extra = { lowerBound: 1, upperBound: 2, judgedBy: 'x' };
    expect(toFile(limits, extra)).toEqual({ lower_bound: 1, upper_bound: 2 });
    expect(toFile(limits.loose(), extra)).toEqual({ lower_bound: 1, upper_bound: 2, judgedBy: 'x' });
    expect(toFile(schema, { ...value, note: undefined })).not.toHaveProperty('note');
  });

  it('has the type of the file form', () => {
    expectTypeOf<FileShape<typeof schema>['errors_per_100']>().toEqualTypeOf<number>();
    expectTypeOf<FileShape<typeof schema>['note']>().toEqualTypeOf<string | undefined>();
    expectTypeOf(toFile(schema, value).by_metric.eGFR!.lower_bound).toEqualTypeOf<number>();
  });
});

describe('fromFile', () => {
  it('reads back what toFile writes', () => {
    expect(fromFile(schema, toFile(schema, value))).toEqual(value);
    expect(z.encode(fileCodec(schema), fromFile(schema, file))).toEqual(file);
  });

  it('checks the file form', () => {
    expect(() => fromFile(schema, { ...file, n_rows: -1 })).toThrow('nRows');
    expect(() => fromFile(limits, { lowerBound: 1, upperBound: 2 })).toThrow('lowerBound');
  });

  it('fills in defaults, and replaces what cannot be read', () => {
    const none = { lowerBound: 0, upperBound: null };
    const lenient = z.object({ firstRange: limits.default(none), lastRange: limits.catch(none) });
    const read = fromFile(lenient, { last_range: { lower_bound: 'x' } });
    expect(read).toEqual({ firstRange: none, lastRange: none });
  });

  it('reads schemas that contain themselves', () => {
    const tree = z.object({
      nLeaves: z.int(),
      get subTrees() {
        return z.array(tree);
      },
    });
    const written = toFile(tree, { nLeaves: 1, subTrees: [{ nLeaves: 0, subTrees: [] }] });
    expect(written).toEqual({ n_leaves: 1, sub_trees: [{ n_leaves: 0, sub_trees: [] }] });
    expect(fromFile(tree, written).subTrees[0]!.nLeaves).toBe(0);
  });
});

describe('fileForm', () => {
  it('has a JSON Schema', () => {
    const form = fileForm(limits.extend({ byName: z.record(z.string(), limits) }).describe('Two bounds.'));
    const bounds = {
      type: 'object',
      properties: {
        lower_bound: { type: 'number' },
        upper_bound: { type: ['number', 'null'] },
      },
      required: ['lower_bound', 'upper_bound'],
      additionalProperties: false,
    };
    expect(z.toJSONSchema(form)).toMatchObject({
      ...bounds,
      description: 'Two bounds.',
      properties: {
        ...bounds.properties,
        by_name: { type: 'object', propertyNames: { type: 'string' }, additionalProperties: bounds },
      },
      required: ['lower_bound', 'upper_bound', 'by_name'],
    });
    expect(z.toJSONSchema(fileForm(schema)).properties).toHaveProperty('errors_per_100', { type: 'number' });
  });
});
