import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bracketSpans } from './json-in-text.ts';

const stretches = (text: string) => bracketSpans(text).spans.map(({ start, end }) => text.slice(start, end));

describe('bracketSpans', () => {
  it.each([
    ['around prose', 'So {"a": 1} it is', ['{"a": 1}']],
    ['several, and only the outermost', '{"a": {"b": []}} [{"c": 1}]', ['{"a": {"b": []}}', '[{"c": 1}]']],
    ['brackets in quoted text', '{"a": "}\\"}", b: \']\'}', ['{"a": "}\\"}", b: \']\'}']],
    ['escapes in single quotes', "{'a': 'it\\'s }', 'b': 1}", ["{'a': 'it\\'s }', 'b': 1}"]],
    ['brackets in comments', '{"a": 1 // }\n /* ] */}', ['{"a": 1 // }\n /* ] */}']],
    ['intervals in prose', 'eGFR in [45, 60) {so}: {"a": 1}', ['{"a": 1}']],
    ['an apostrophe in prose', "the patient's {data}: {a: 1}", ['{a: 1}']],
    ['a closing bracket too many', 'x {"a": 1}}', ['{"a": 1}']],
    ['any bracket at the beginning', ' [1, {"a": 2}]', ['[1, {"a": 2}]']],
    ['nothing', 'no brackets', []],
  ])('finds %s', (_, text, expected) => {
    expect(bracketSpans(text).fault).toBeNull();
    expect(stretches(text)).toEqual(expected);
  });

  it.each([
    ['{"a": 1', 'cut_off'],
    ['{"a": "}', 'cut_off'],
    ["{'a': '}", 'cut_off'],
    ['{"a": 1 // }', 'cut_off'],
    ['{"a": 1 /* }', 'cut_off'],
    ['[1, {"a": 2}', 'cut_off'],
    ['```json\n[1, {"a": 2}', 'cut_off'],
    ['{"a": [1}', 'malformed'],
    ["{'a': 'it's b'}", 'malformed'],
  ])('finds nothing in %s: %s', (text, fault) => {
    expect(bracketSpans(text)).toEqual({ spans: [], fault });
  });

  it('finds what comes before a bracket that is not closed', () => {
    expect(bracketSpans('{"a": 1} and {"a": 2')).toEqual({
      spans: [{ start: 0, end: 8, clear: true }],
      fault: 'cut_off',
    });
  });

  it.each([
    ['{"a": "b" "c": \'d\'}', true],
    ['{"a": 1 // one }\n}', true],
    ['{"a": 1 // {"a": 2}\n}', false],
    ['{"a": -1.5e3, "b": .5}', true],
    ['{"a": "b"} more', true],
    ['{"a": "b" or "c"}', false],
    ["{'a': 'it's b's'}", false],
    ['{"a": “b”}', false],
    ['{"a": `b`}', false],
    ['{"a": not(true)}', false],
    ['{"a": , "b": 1}', false],
    ['{"a": -}', false],
    ['{"a": 0. }', false],
    ['{"a": 1e-, "b": 2}', false],
  ])('%s needs no guessing: %s', (text, clear) => {
    expect(bracketSpans(text).spans.map((span) => span.clear)).toEqual([clear]);
  });

  it('takes any JSON object as one span, needing no guessing', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        expect(bracketSpans(text)).toEqual({
          spans: [{ start: 0, end: text.length, clear: true }],
          fault: null,
        });
      }),
    );
  });
});
