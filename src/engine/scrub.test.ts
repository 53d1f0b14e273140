import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldedWords, scrub } from './scrub.ts';

const record = (features: Record<string, unknown>) => [{ id: 'a', features: features as never }];

const records = record({
  name: 'Zoltán  Q. Doe-Ng',
  nurse: 'Li Wu',
  note: 'walks (slowly) $& back from Bad Wörishofen, takes 150 mg; case of ill health',
  born: '1961-05-03',
  age: 61,
  creatinine: '1.30',
  ferritin: 83917.25,
  missing: null,
  visits: [{ month: 12, value: 2.75, place: 'Kanariengasse 7' }],
});
const keep = foldedWords('case, ill');

/** What the text keeps, in blocks as short as can be read. */
const scrubbed = (text: string) => scrub(text, records, keep).replace(/█+/g, '█');

describe('scrub', () => {
  it.each([
    ['creatinine of 1.3 mg/dL', 'creatinine of █ mg/dL'],
    ['1.30, 1,300 and 13', '█, █ and 13'],
    ['ZOLTAN Q. DOE-NG, aged 61.0', '█, aged █'],
    ['Zolta\u0301n, zoltan and Z o l t a n', '█, █ and █'],
    ['Zol\u200btan, Zol-\ntan and Mr.Zoltan', '█, █ and Mr.█'],
    ['Doe, not doer', '█, not doer'],
    ['{"why":"Zol-\\ntan \\u005Aoltan"}', '{"why":"█ █"}'],
    ['seen by li WU, like wuthering', 'seen by █, like wuthering'],
    ['she walks (slowly) $& back.', 'she █ (█) $& █.'],
    ['{"visit":{"month":12,"value":2.75}}', '{"visit":{"month":█,"value":█}}'],
    ['stage 4, confidence 0.9', 'stage 4, confidence 0.9'],
    ['req_61a, 161, 6.1, 61mg', 'req_61a, 161, 6.1, 61mg'],
    ['near worishofen, on KANARIENGASSE', 'near █, on █'],
    ['InKanariengasseToday', 'In█Today'],
    ['The case as I read it: name: Zol', 'The case as I read it: name: █'],
    ['Zol is no word of theirs', 'Zol is no word of theirs'],
    ['a case of il', 'a case of il'],
  ])('%j -> %j', (text, clean) => {
    expect(scrubbed(text)).toBe(clean);
  });

  it.each([
    '3 May 1961',
    '3rd of May, 1961',
    'May 3rd, 1961',
    '03.05.1961',
    '3/5/61',
    '05/03/1961',
    '1961 05 03',
    '19610503',
    '3. Mai 1961',
    '03\n05\n1961',
  ])('finds the date 1961-05-03 in the spelling %j', (date) => {
    expect(scrub(`born ${date}!`, records)).not.toMatch(/\d/);
  });

  it.each(['83917.25', '83,917.25', '83 917,25', "83'917.25", '83917', '8 3 9 1 7', '83917.250'])(
    'finds the number 83917.25 in the spelling %j',
    (number) => {
      expect(scrub(`ferritin ${number} ng`, records)).not.toMatch(/\d/);
    },
  );

  it('replaces each unit by a block, so that offsets stay valid', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('Zoltán', ' Li Wu ', '83,917.25 '))),
        (parts) => {
          const text = parts.join('');
          const clean = scrub(text, records);
          expect(clean.length).toBe(text.length);
          for (let i = 0; i < text.length; i++) expect([text[i], '█']).toContain(clean[i]);
        },
      ),
    );
  });

  it('leaves no value of a record in any text that quotes it among other words', () => {
    const value = fc.oneof(
      fc.integer({ min: 100, max: 1_000_000 }),
      fc.stringMatching(/^[A-Za-z]{5,12}-[0-9]{3,6}$/),
    );
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(' ', ', ', '\n', '"'),
        (values, gap) => {
          const text = values.map((v) => `${gap}${v}${gap}`).join('then');
          const clean = scrub(text, record(Object.fromEntries(values.map((v, i) => [`f${i}`, v]))));
          for (const v of values) expect(clean).not.toContain(String(v));
        },
      ),
    );
  });

  it('takes a note of a million characters, quoted whole, in seconds', () => {
    const words = Array.from({ length: 130_000 }, (_, i) => `w${((i * 7919) % 99_991).toString(36)}x`);
    const note = words.join(' ').padEnd(1_000_000, ' and so on').slice(0, 1_000_000);
    const started = performance.now();
    const clean = scrub(`I read: ${note}`, record({ note }));
    expect(clean.length).toBe(1_000_008);
    expect(clean.slice(0, 8)).toBe('I read: ');
    expect(clean).not.toContain(words[500]);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
