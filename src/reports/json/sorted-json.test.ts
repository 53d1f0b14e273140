import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortedJson } from './sorted-json.ts';

describe('sortedJson', () => {
  it('sorts keys by their characters, also those that look like numbers', () => {
    expect(sortedJson({ b: 1, '2': 1, a: { z: 1, y: 1 }, '10': 1 })).toBe(
      '{"10":1,"2":1,"a":{"y":1,"z":1},"b":1}',
    );
  });

  it('indents by two blanks from the depth given', () => {
    expect(sortedJson({ b: [1, 2], a: {}, c: [] }, 1)).toBe(
      '{\n    "a": {},\n    "b": [\n      1,\n      2\n    ],\n    "c": []\n  }',
    );
  });

  it('is strict: no NaN, no undefined, nothing without a JSON form', () => {
    const value = {
      nan: Number.NaN,
      inf: [Number.NEGATIVE_INFINITY, undefined],
      gone: undefined,
      f: () => 1,
    };
    expect(sortedJson(value)).toBe('{"inf":[null,null],"nan":null}');
    expect(sortedJson({ date: new Date(0), big: 12n })).toBe(
      '{"big":"12","date":"1970-01-01T00:00:00.000Z"}',
    );
  });

  it('means what JSON.stringify means, in either form', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // JSON has one zero.
        const meant = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(sortedJson(value))).toEqual(meant);
        expect(JSON.parse(sortedJson(value, 0))).toEqual(meant);
      }),
    );
  });
});
