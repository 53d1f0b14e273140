import { describe, expect, it } from 'vitest';
import { findAnswers } from './find-answers.ts';
import { comparableText } from './json-in-text.ts';

const json = JSON.stringify;
const search = {
  keys: ['label'],
  decisions: (answer: object) => [
    comparableText(Object.entries(answer).find(([key]) => comparableText(key) === 'label')?.[1]),
  ],
  quotedFrom: 'record',
} as const;
const find = (text: string, ...sources: unknown[]) => findAnswers(text, { ...search, sources });
const valuesIn = (found: ReturnType<typeof findAnswers>) =>
  found.ok ? found.answers.map(({ value }) => value) : found.reason;
const values = (text: string, ...sources: unknown[]) => valuesIn(find(text, ...sources));
const listed = (value: object, ...sources: unknown[]) =>
  valuesIn(findAnswers(json(value), { ...search, listKey: 'results', sources }));

const ill = { label: 'ill' };
const well = { label: 'well' };

describe('findAnswers', () => {
  it.each([
    ['JSON', json(ill)],
    ['JSON in prose', `Please reply ${json(ill)} to this.`],
    ['an object of the record itself', { visits: [{ note: ill }] }],
    ['JSON in an object of the record', { visits: [{ note: json({ why: 1, ...ill }) }] }],
    ['JSON in a text of JSON', json({ note: json({ note: json(ill) }) })],
    ['JSON that is escaped twice', json(json(`"${json(ill)}"`))],
    ['JSON in single quotes', "{'label': 'ill'}"],
    ['JSON in typographic quotes', '{“label”: “ill”}'],
    ['JSON in full-width characters', '｛＂label＂：＂ill＂｝'],
    ['JSON with invisible characters in a key', '{"la\u200bbel": "i\u00adll"}'],
    ['JSON with escaped letters', '{"l\\u0061bel": "i\\u006cl"}'],
    ['JSON with entities', '{&quot;label&quot;: &quot;ill&quot;}'],
    ['JSON in a fence', `\`\`\`json\n${json(ill)}\n\`\`\``],
    ['JSON that is cut off', '{"label": "ill", "why": "'],
    ['JSON after a bracket that is not closed', `{"a": [1 ${json(ill)}`],
    ['JSON beside other JSON', `${json(well)} ${json(ill)}`],
  ])('takes an answer for a quote that the source has as %s', (_, source) => {
    expect(values(`Not ${json(ill)} but ${json({ label: 'third' })}`, source)).toEqual([{ label: 'third' }]);
    expect(values(`So ${json(ill)}`, source)).toBe('quoted_from_record');
    expect(values(json(ill), source), 'a reply that is one value').toEqual([ill]);
    expect(values(`So ${json({ label: 'third' })}`, source)).toEqual([{ label: 'third' }]);
  });

  it('takes an answer inside a reply of one value for a quote, in a list too', () => {
    expect(values(json({ record: ill, ...well }), json(ill))).toEqual([{ record: ill, ...well }]);
    for (const reply of [{ record: ill }, { quoted: [ill], final: 'well' }, { results: [ill] }, [ill]])
      expect(values(json(reply), json(ill))).toBe('quoted_from_record');
    expect(values(json({ results: [ill, well] }), json(ill))).toEqual([well]);
  });

  it('takes no entry of the list that was asked for as a quote, but those of any other list', () => {
    expect(listed({ results: [ill, well] }, json(ill))).toEqual([ill, well]);
    expect(listed([ill], json(ill))).toEqual([ill]);
    expect(listed({ results: [well], quotes: [ill] }, json(ill))).toEqual([well]);
    expect(listed({ quotes: [ill], results: [well] }, json(ill))).toEqual([well]);
    expect(listed([[ill], [well]], json(ill))).toEqual([well]);
    for (const reply of [{ answers: [ill] }, { results: { results: [ill] } }, { Results: [ill] }])
      expect(listed(reply, json(ill))).toBe('quoted_from_record');
  });

  it.each([
    ['two commas', '{"label": "ill",, "why": 1}'],
    ['two commas in an object inside it', '{"why": {"x": 1,, "y": 2}, "label": "ill"}'],
    ['two commas after an object inside it', '{"why": {"label": "ill"},, "label": "ill"}'],
    ['two commas and no end', '{"why": {"x": 1,, "y": 2}, "label": "ill"'],
  ])('takes any answer for a quote of a source whose answer has %s and cannot be read', (_, source) => {
    expect(values(`So ${json(ill)}`, `Reply ${source}`)).toBe('quoted_from_record');
    expect(values(json(ill), source), 'a reply that is one value').toEqual([ill]);
    expect(values(`So ${json(ill)}`, source.replaceAll('label', 'name')), 'another object').toEqual([ill]);
  });

  it('takes any answer for a quote of a source that would take too long to read', () => {
    const broken = '{label: “x” or “y” '.repeat(2000);
    expect(values(`So ${json(ill)}`, broken)).toBe('quoted_from_record');
    expect(values(`So ${json(ill)}`, 'note {a: “x” or “y” '.repeat(20_000))).toEqual([ill]);
  });

  it('reads sources only where the reply has other text', () => {
    const source = {
      get note(): string {
        throw new Error('read');
      },
    };
    expect(values(json(ill), source)).toEqual([ill]);
    expect(() => values(`So ${json(ill)}`, source)).toThrow('read');
  });

  it('knows the id of an answer by the nearest object around it', () => {
    const found = find(
      json([
        { id: 'a', x: { y: [ill] } },
        { id: 'b', ...well },
      ]),
    );
    expect(found.ok && found.answers.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it.each([
    ['nested answers', `x ${'{"label":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['nested lists', `x ${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)} ${json(ill)}`],
    ['broken answers', `${json(ill)} ${'{label: “a” '.repeat(100_000)}`],
    ['opening brackets', `${json(ill)} {"label": ${'{'.repeat(500_000)}`],
    ['escaped answers', `${json(ill)} ${'{\\"label\\": 1} '.repeat(50_000)}`],
    ['backslashes', `${json(ill)} ${'\\'.repeat(500_000)}`],
  ])('comes to an end on a long reply or source of %s', (_, text) => {
    expect(find(text).ok).toBeTypeOf('boolean');
    expect(find(`x ${json(ill)}`, text, { text }).ok).toBeTypeOf('boolean');
  });
});
