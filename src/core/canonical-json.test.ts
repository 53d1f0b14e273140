import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, contentHash } from './canonical-json.ts';

function withKeysReversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withKeysReversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, withKeysReversed(inner)]),
  );
}

describe('canonicalJson', () => {
  it('sorts keys as text at every depth, and leaves lists alone', () => {
    expect(canonicalJson({ b: [3, { d: 1, c: 2 }, 1], a: { 9: 'x', 10: 'y', B: 0 } })).toBe(
      '{"a":{"10":"y","9":"x","B":0},"b":[3,{"c":2,"d":1},1]}',
    );
  });

  it('says the same as JSON, in one form for any order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(withKeysReversed(value))).toBe(text);
      }),
    );
  });

  it('leaves out what is undefined in an object, and takes -0 for 0', () => {
    expect(canonicalJson({ a: undefined, b: -0, c: null })).toBe('{"b":0,"c":null}');
  });

  it('has dates as JSON has them', () => {
    const value = { day: new Date(Date.UTC(2024, 1, 29)) };
    expect(canonicalJson(value)).toBe(JSON.stringify(value));
  });

  it.each([
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['undefined', undefined],
    ['function', () => 1],
    ['bigint', 1n],
    ['symbol', Symbol('s')],
    ['Map', new Map([['a', 1]])],
    ['Set', new Set([1])],
  ])('refuses %s, on its own, in a list and in an object in a list', (name, value) => {
    const places = [value, [1, value], [{ deep: [value] }]];
    for (const place of places) {
      expect(() => canonicalJson(place)).toThrow(
        expect.objectContaining({ name: 'KrisisError', code: 'ERR_NOT_JSON' }),
      );
      expect(() => canonicalJson(place)).toThrow(`${name} has no JSON form`);
    }
  });
});

describe('contentHash', () => {
  it('is the SHA-256 of that text', () => {
    // printf '{"a":1,"b":[true,null,"x"]}' | sha256sum
    expect(contentHash({ b: [true, null, 'x'], a: 1 })).toBe(
      'eca8cfb31ab74533e1eb2f4c74d2d55dfe3c79ac704787e54be8647ea7777eb1',
    );
  });

  it('takes text as UTF-8', () => {
    // printf '"\303\251"' | sha256sum
    expect(contentHash('é')).toBe('f2886017e9c7abacf804b54d64787dce2b611c9544ba21f3affdd126a6e50086');
  });
});
