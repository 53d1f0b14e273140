import { describe, expect, it } from 'vitest';
import { regexKind, regexOutcome, regexTrait } from './regex-trait.ts';

const parse = (object: unknown) => regexKind.parse(object, 'regex trait', {});

const holds = (pattern: string, answer: string, more = {}) =>
  regexOutcome(regexTrait({ name: 'r', pattern, ...more }), answer);

describe('regexTrait', () => {
  it('finds a pattern anywhere, case-sensitive by default', () => {
    expect(holds('\\bmmol/L\\b', 'It is 6.3 mmol/L.')).toEqual({ kind: 'boolean', value: true });
    expect(holds('MMOL', 'mmol')).toEqual({ kind: 'boolean', value: false });
    expect(holds('MMOL', 'mmol', { caseSensitive: false })).toEqual({ kind: 'boolean', value: true });
    expect(holds('guarantee', 'no promise', { invert: true })).toEqual({ kind: 'boolean', value: true });
    expect(holds('^$', '')).toEqual({ kind: 'boolean', value: true });
  });

  it('is not held up by a pattern that explodes elsewhere', () => {
    // A backtracking engine needs about 2^5000 steps here; if this were one, the test would never end.
    expect(holds('(a+)+$', `${'a'.repeat(5000)}b`)).toEqual({ kind: 'boolean', value: false });
    expect(holds('(x+x+)+y', 'x'.repeat(5000))).toEqual({ kind: 'boolean', value: false });
  });

  it('leaves unscored what would take too many steps', () => {
    expect(holds('(\\w{1,500} ){1,2}$', 'a'.repeat(100_000))).toEqual({
      kind: 'unscored',
      reason: expect.stringMatching(/^the pattern could take \d+ million steps on 100000 characters/),
    });
  });

  it.each([
    ['(?=a)b', 'lookahead and lookbehind are not supported'],
    ['(?!a)b', 'lookahead and lookbehind are not supported'],
    ['(?<=a)b', 'lookahead and lookbehind are not supported'],
    ['(?<!a)b', 'lookahead and lookbehind are not supported'],
    ['(a)\\1', 'backreferences are not supported'],
    ['(?<n>a)\\k<n>', 'backreferences are not supported'],
    ['[', 'missing closing ]'],
    ['a{1001}', 'invalid repeat count'],
    ['', 'pattern is ""; expected a regular expression that is not empty'],
  ])('refuses %j', (pattern, message) => {
    expect(() => regexTrait({ name: 'r', pattern })).toThrow(message);
  });

  it('reads what it writes, and the name that Karenina has for invert', () => {
    const wire = { name: 'r', pattern: 'x', case_sensitive: false, invert: true, higher_is_better: true };
    expect(regexKind.toJSON(parse(wire))).toEqual(wire);
    expect(parse({ name: 'r', pattern: 'x', invert_result: true }).invert).toBe(true);
    expect(() => parse({ name: 'r', pattern: 'x', flags: 'i' })).toThrow('unknown field "flags"');
  });
});
