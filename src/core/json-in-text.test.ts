import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonInText } from './json-in-text.ts';

const hasA = (value: object) => 'a' in value;
/** What a reply was found to hold. */
const read = (text: string) => {
  const result = jsonInText(text, hasA);
  return result.ok ? { values: result.found.map(({ value }) => value), repaired: result.repaired } : result;
};

describe('jsonInText', () => {
  it('takes JSON as it is, whatever is wanted', () => {
    expect(read(' {"b": 1}\n')).toEqual({ values: [{ b: 1 }], repaired: false });
    expect(read('[1]')).toEqual({ values: [[1]], repaired: false });
  });

  it.each([
    ['a fenced block', 'Here:\n```json\n{"a": 1}\n```\nDone.'],
    ['a fence that is not closed', '```\n{"a": 1}'],
    ['prose on both sides', 'My answer is {"a": 1}, as I said.'],
    ['reasoning with a draft', '<think>{"a": 2} or {"a": {</think>{"a": 1}'],
    ['reasoning that was not closed, before the end', '<think>{"a": 2}? No. {"a": 1}\n'],
    ['the one that is wanted', '{"a": 1} with {"b": 2}'],
    ['one in prose where the fenced one is not wanted', '```json\n{"b": 2}\n``` {"a": 1}'],
    ['JSON written as JSON twice', '"{\\"a\\": 1}"'],
    ['a byte order mark', '\uFEFF{"a": 1}'],
    ['a trailing comma', '{"a": 1,}'],
    ['single quotes', "{'a': 1}"],
    ['a bare key', '{a: 1}'],
    ['comments', '{"a": 1 // one\n}'],
    ['a bracket too many', '{"a": 1}}'],
  ])('finds %s', (_, text) => {
    expect(read(text)).toEqual({ values: [{ a: 1 }], repaired: true });
  });

  it('finds all that are wanted, fenced or not, in their order', () => {
    expect(read('{"a": 2} No: ```json\n{"a": 3}\n``` No: {"b": 4} {a: 1,}')).toEqual({
      values: [{ a: 2 }, { a: 3 }, { a: 1 }],
      repaired: true,
    });
  });

  it('says where each part is in the reply, reasoning included', () => {
    const text = '<think>{"a": 0}</think>So [{"a": 1}, {"a": 2}] and {"a": [3]}';
    const result = jsonInText(text, (value) => Array.isArray(value) || hasA(value));
    const places = result.ok
      ? result.found.flatMap(({ value, spanOf }) =>
          [value, ...Object.values(value)].map((part) => spanOf(part)),
        )
      : [];
    expect(places.map((span) => text.slice(span!.start, span!.end))).toEqual([
      '[{"a": 1}, {"a": 2}]',
      '{"a": 1}',
      '{"a": 2}',
      '{"a": [3]}',
      '[3]',
    ]);
  });

  it.each(['x {a: 1}', '"{\\"a\\": 1}"'])('knows no place in what it had to change: %s', (text) => {
    const result = jsonInText(text, hasA);
    expect(result.ok && result.found.map(({ value, spanOf }) => spanOf(value))).toEqual([null]);
  });

  it.each(['{"a": 1, "a": 2}', 'x {"a": 1, "a": 2}', "{'a': 1, a: 2}"])(
    'says that a key comes twice: %s',
    (text) => {
      const result = jsonInText(text, hasA);
      expect(result.ok && result.found.map(({ value, repeatsKey }) => repeatsKey(value))).toEqual([true]);
    },
  );

  it('knows which one is called final', () => {
    const result = jsonInText('Answer: {"a": 1}. No. Final answer:\n```json\n{"a": 2}\n```', hasA);
    expect(result.ok && result.found.map(({ phrase }) => phrase)).toEqual(['answer', 'final']);
  });

  it('mends missing commas and the literals of Python', () => {
    expect(read('{"a": True "b": False\n"c": None}')).toEqual({
      values: [{ a: true, b: false, c: null }],
      repaired: true,
    });
  });

  it.each([
    ['empty', ''],
    ['empty', ' \n'],
    ['empty', '""'],
    ['no_json', 'present'],
    ['no_json', '"present"'],
    ['no_json', 'null'],
    ['no_json', '<think>{"a": 1}</think>'],
    ['cut_off', '{"a": 1'],
    ['cut_off', '```json\n{"a": [1, 2'],
    ['cut_off', 'First {"a": 1}. Then {"a": '],
    ['malformed', 'Only {"b": 1}'],
    ['malformed', '{"a": 0,9}'],
    ['malformed', '{"a": -}'],
    ['malformed', '{"a": "one" or "two"}'],
    ['malformed', '{"a": [1}'],
    ['malformed', '<think>perhaps {"a": 1}, but then'],
  ])('%s: %j', (reason, text) => {
    expect(jsonInText(text, hasA)).toEqual({ ok: false, reason });
  });

  it('is not led by the names of inherited properties', () => {
    const text = 'x {"__proto__": {"b": 1}, "constructor": 2, "a": 1,}';
    expect(read(text)).toMatchObject({ values: [{ a: 1 }] });
    expect(({} as { b?: number }).b).toBeUndefined();
  });

  it.each([
    ['opening brackets', '{'.repeat(500_000)],
    ['nested lists', `x ${'[{'.repeat(200_000)}${'}]'.repeat(200_000)}`],
    ['many objects', 'x {a:}'.repeat(100_000)],
    ['opening tags', '<think>'.repeat(100_000)],
    ['quotes', `{"a": ${'"b" c '.repeat(100_000)}}`],
    ['missing commas', `x [${'{} '.repeat(200_000)}]`],
  ])('comes to an end on a long reply of %s', (_, text) => {
    expect(jsonInText(text, hasA)).toMatchObject({ ok: false });
  });

  it('gives some result for any text', () => {
    const token = fc.constantFrom(
      ...'{}[]"\',:/*`\\ \na1-.',
      '```json',
      '<think>',
      '</think>',
      '"a":',
      'None',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(token).map((all) => all.join('')),
        ),
        (text) => {
          expect(jsonInText(text, hasA).ok).toBeTypeOf('boolean');
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('never completes what was cut off, in any of the forms it mends', () => {
    const forms = [
      (json: string) => json,
      (json: string) => `Here it is:\n\`\`\`json\n${json}`,
      (json: string) => `<think>so</think> My answer: ${json}`,
      (json: string) => json.replaceAll("'", ' ').replaceAll('"', "'"),
      (json: string) => json.replace('{', '{ // }\n'),
    ];
    const value = fc.record({ a: fc.jsonValue(), b: fc.string() });
    fc.assert(
      fc.property(value, fc.constantFrom(...forms), fc.nat(), (json, form, seed) => {
        const inner = JSON.stringify(json);
        const whole = form(inner);
        const cut = whole.length - 1 - (seed % inner.length);
        expect(jsonInText(whole.slice(0, cut), () => true)).toMatchObject({ ok: false });
      }),
      { numRuns: 1000 },
    );
  });
});
