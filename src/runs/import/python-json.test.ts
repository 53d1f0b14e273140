import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parsePythonJson } from './python-result.ts';

it('reads bare NaN and infinities as null, and leaves strings alone', () => {
  expect(
    parsePythonJson('{"a": NaN, "b": [-Infinity, Infinity, 1], "c": "NaN, \\"Infinity\\" \\\\"}'),
  ).toEqual({
    a: null,
    b: [null, null, 1],
    c: 'NaN, "Infinity" \\',
  });
  expect(parsePythonJson('\uFEFF{"a": 1}')).toEqual({ a: 1 });
});

it('reads whatever JSON there is, with a NaN among it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = `{"value": ${JSON.stringify(value)}, "nan": NaN}`;
      expect(JSON.stringify(parsePythonJson(text))).toBe(JSON.stringify({ value, nan: null }));
    }),
  );
});

it.each(['{"a": NaNa}', '{"a": }', 'NaN NaN', ''])('refuses %j', (text) => {
  expect(() => parsePythonJson(text)).toThrow(SyntaxError);
});
