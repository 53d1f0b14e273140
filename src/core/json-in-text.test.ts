import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonInText } from './json-in-text.ts';

/** What a reply was found to hold. */
const read = (text: string) => {
  const { values, repaired, isWhole, fault } = jsonInText(text);
  return { values: values.map(({ value }) => value), repaired, isWhole, fault };
};

/** Written as JSON five times. */
const json5 = (text: string) =>
  Array.from({ length: 5 }).reduce<string>((inner) => JSON.stringify(inner), text);

describe('jsonInText', () => {
  it('takes JSON as it is', () => {
    expect(read(' {"b": 1}\n')).toEqual({ values: [{ b: 1 }], repaired: false, isWhole: true, fault: null });
    expect(read('[1]')).toEqual({ values: [[1]], repaired: false, isWhole: true, fault: null });
  });

  it.each([
    ['a fence', '```json\n{"a": 1}\n```'],
    ['a fence of tildes', '~~~\n{"a": 1}\n~~~\n'],
    ['a fence that is not closed', '```\n{"a": 1}'],
    ['reasoning before it', '<think>{"a": 2} or {"a": {</think>{"a": 1}'],
    ['reasoning and a fence', '<think>{"a": 2}</think>\n```json\n{"a": 1}\n```'],
    ['JSON written as JSON twice', '"{\\"a\\": 1}"'],
    ['a byte order mark', '\uFEFF{"a": 1}'],
    ['a trailing comma', '{"a": 1,}'],
    ['single quotes', "{'a': 1}"],
    ['a bare key', '{a: 1}'],
    ['comments', '{"a": 1 // one\n}'],
  ])('takes a reply of one value as a whole: %s', (_, text) => {
    expect(read(text)).toEqual({ values: [{ a: 1 }], repaired: true, isWhole: true, fault: null });
  });

  it.each([
    ['a fenced block', 'Here:\n```json\n{"a": 1}\n```\nDone.'],
    ['two fences', '```\n```json\n{"a": 1}\n```\n```'],
    ['prose on both sides', 'My answer is {"a": 1}, as I said.'],
    ['reasoning that was not closed', '<think>Hm. {"a": 1}\n'],
    ['a bracket too many', '{"a": 1}}'],
  ])('finds a value with other text: %s', (_, text) => {
    expect(read(text)).toEqual({ values: [{ a: 1 }], repaired: true, isWhole: false, fault: null });
  });

  it('finds all values, fenced or not, in their order', () => {
    expect(read('{"a": 2} No: ```json\n{"a": 3}\n``` No: {"b": 4} {a: 1,}').values).toEqual([
      { a: 2 },
      { a: 3 },
      { b: 4 },
      { a: 1 },
    ]);
  });

  it('says where each part is in the reply, reasoning included', () => {
    const text = '<think>{"a": 0}</think>So [{"a": 1}, {"a": 2}] and {"a": [3]}';
    const places = jsonInText(text).values.flatMap(({ value, findSpan }) =>
      [value, ...Object.values(value)].map((part) => findSpan(part)),
    );
    expect(places.map((span) => text.slice(span!.start, span!.end))).toEqual([
      '[{"a": 1}, {"a": 2}]',
      '{"a": 1}',
      '{"a": 2}',
      '{"a": [3]}',
      '[3]',
    ]);
  });

  it.each(['x {a: 1}', '"{\\"a\\": 1}"'])('knows no place in what it had to change: %s', (text) => {
    expect(jsonInText(text).values.map(({ value, findSpan }) => findSpan(value))).toEqual([null]);
  });

  it.each(['{"a": 1, "a": 2}', 'x {"a": 1, "a": 2}', "{'a': 1, a: 2}"])(
    'says that a key comes twice: %s',
    (text) => {
      const [found] = jsonInText(text).values;
      expect(found!.places.get(found!.value)!.repeatsKey).toBe(true);
    },
  );

  it('keeps what it could not read, and the other text', () => {
    expect(jsonInText('So {"a": 1}, or {"a": “2”}? {"b": 3}!').rest).toBe('So  , or {"a": “2”}?  !');
  });

  it('mends missing commas and the literals of Python', () => {
    expect(read('{"a": True "b": False\n"c": None}').values).toEqual([{ a: true, b: false, c: null }]);
  });

  it.each([
    ['empty', ''],
    ['empty', ' \n'],
    ['empty', '""'],
    ['no_json', 'present'],
    ['no_json', '"present"'],
    ['no_json', 'null'],
    ['empty', '<think>{"a": 1}</think>'],
    ['cut_off', '{"a": 1'],
    ['cut_off', '```json\n{"a": [1, 2'],
    ['malformed', '{"a": 0,9}'],
    ['malformed', '{"a": -}'],
    ['malformed', '{"a": "one" or "two"}'],
    ['malformed', '{"a": [1}'],
  ])('%s: %j', (reason, text) => {
    expect(read(text)).toMatchObject({ values: [], fault: reason });
  });

  it('finds what comes before a value that is cut off', () => {
    expect(read('First {"a": 1}. Then {"a": ')).toMatchObject({ values: [{ a: 1 }], fault: 'cut_off' });
  });

  it('is not led by the names of inherited properties', () => {
    const text = 'x {"__proto__": {"b": 1}, "constructor": 2, "a": 1,}';
    expect(read(text)).toMatchObject({ values: [{ a: 1 }] });
    expect(({} as { b?: number }).b).toBeUndefined();
  });

  it.each([
    ['opening brackets', '{'.repeat(500_000)],
    ['nested lists', `x ${'[{a:'.repeat(200_000)}${'}]'.repeat(200_000)}`],
    ['many objects', 'x {a:}'.repeat(100_000)],
    ['opening tags', '<think>'.repeat(100_000)],
    ['encodings', json5('{"a": 1}')],
    ['quotes', `{"a": ${'"b" c '.repeat(100_000)}}`],
    ['missing commas', `x [${'{} '.repeat(200_000)}]`],
  ])('comes to an end on a long reply of %s', (_, text) => {
    expect(jsonInText(text).fault).not.toBeNull();
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
          expect(jsonInText(text).isWhole).toBeTypeOf('boolean');
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
        expect(jsonInText(whole.slice(0, cut)).fault).not.toBeNull();
      }),
      { numRuns: 1000 },
    );
  });
});
