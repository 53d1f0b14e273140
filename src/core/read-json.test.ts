import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from './read-json.ts';

const repeats = (text: string) => {
  const { places } = readJson(text)!;
  return [...places.values()]
    .filter(({ repeatsKey }) => repeatsKey)
    .map(({ start, end }) => text.slice(start, end));
};

describe('readJson', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(readJson(text)!.value).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  it('reads nothing else', () => {
    for (const text of ['', '{', "{'a': 1}", '{"a": 1,}', '[1 2]', 'present'])
      expect(readJson(text)).toBeUndefined();
  });

  it('places every object and list', () => {
    const text = ' {"a": [{"b": "}]\\""}, 2]}\n';
    const { value, places } = readJson(text)!;
    const { a } = value as { a: [object, number] };
    const at = (part: object) => text.slice(places.get(part)!.start, places.get(part)!.end);
    expect([at(value as object), at(a), at(a[0])]).toEqual([
      text.trim(),
      '[{"b": "}]\\""}, 2]',
      '{"b": "}]\\""}',
    ]);
  });

  it.each([' {"a": "}", "b": -1.5e3, "c": null, "2": ":,"}\n', '{}', '{"a": {"b": 1}, "a": 2}'])(
    'places the object %s',
    (text) => {
      const { value, places } = readJson(text)!;
      expect(value).toEqual(JSON.parse(text));
      const { start, end, parent } = places.get(value as object)!;
      expect([text.slice(start, end), parent]).toEqual([text.trim(), null]);
    },
  );

  it.each([
    ['{"a": 1, "a": 1}', ['{"a": 1, "a": 1}']],
    ['{"a": 1, "\\u0061": 2}', ['{"a": 1, "\\u0061": 2}']],
    ['[{"a": 1}, {"a": {"b": 1, "b": 2}}]', ['{"b": 1, "b": 2}']],
    ['{"__proto__": 1, "__proto__": 2}', ['{"__proto__": 1, "__proto__": 2}']],
    ['{"a": "b", "b": "a", "A": 1}', []],
    ['{"a": {"a": 1}}', []],
    ['["a", "a"]', []],
  ])('says which objects of %s have a key twice', (text, expected) => {
    expect(repeats(text)).toEqual(expected);
  });

  it('keeps a key named like a property of all objects as a key', () => {
    const { value } = readJson('{"__proto__": {"b": 1}, "constructor": 2}')!;
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('reads any depth', () => {
    const text = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(readJson(text)!.places.size).toBe(100_000);
  });
});
