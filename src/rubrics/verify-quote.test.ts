import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalised } from './normalised-text.ts';
import { findQuotePlaces, searchQuote, verifyQuote } from './verify-quote.ts';

const found = (answer: string, quote: string) => {
  const place = verifyQuote(answer, quote);
  return place && answer.slice(place.start, place.end);
};

describe('verifyQuote', () => {
  it.each([
    ['plain', 'It is located on chromosome 1.', 'located on chromosome 1', 'located on chromosome 1'],
    ['case', 'Stop NSAIDs now', 'STOP nsaids', 'Stop NSAIDs'],
    ['white space', 'eGFR\u00a052 \r\n\t ml/min', 'eGFR 52 ml/min', 'eGFR\u00a052 \r\n\t ml/min'],
    ['outer white space of the quote', 'a b c', '\n b ', 'b'],
    ['a ligature', 'atrial ﬁbrillation', 'atrial fibrillation', 'atrial ﬁbrillation'],
    ['an accent in two parts', 'Me\u0301nie\u0300re disease', 'ménière', 'Me\u0301nie\u0300re'],
    ['an accent in one part', 'Ménière disease', 'Me\u0301nie\u0300re', 'Ménière'],
    ['full width', 'ＢＣＬ２ gene', 'bcl2', 'ＢＣＬ２'],
    ['surrogate pairs around it', '😀 low 𝐤idney 😀', 'low kidney', 'low 𝐤idney'],
    ['an emoji of several parts', 'ok 👩‍⚕️ says', 'ok 👩‍⚕️ says', 'ok 👩‍⚕️ says'],
    ['a final sigma', 'ΝΕΦΡΟΣ', 'νεφρος', 'ΝΕΦΡΟΣ'],
    ['dotted capital I', 'İnsülin', 'i\u0307nsülin', 'İnsülin'],
    ['one ellipsis for three dots', 'wait… then act', 'wait... then', 'wait… then'],
    ['Korean letters that compose', '각 \u3131\u314f 나', '가 나', '\u3131\u314f 나'],
    ['an accent that unfolds to a space', 'it´s', 'it´s', 'it´s'],
    ['later, where an earlier place cuts a character', '½ mg, 2 mg', '2 mg', '2 mg'],
    ['other quotation marks', 'don’t', "don't", 'don’t'],
    ['guillemets', 'called «CKD» here', 'called "CKD" here', 'called «CKD» here'],
    ['a minus for a hyphen', 'BE −5 mmol/L', 'BE -5 mmol/L', 'BE −5 mmol/L'],
    ['a non-breaking hyphen', 'non\u2011steroidal', 'non-steroidal', 'non\u2011steroidal'],
    ['a zero-width space', 'potas\u200bsium', 'potassium', 'potas\u200bsium'],
    ['marks at the ends of the quote', 'Stop it, now! Then', "'; stop it, now?!", 'Stop it, now'],
    ['an ellipsis at an end of the quote', 'Stop it now and rest', '… it now...', 'it now'],
    ['emphasis at the ends', 'Stop **metformin** now', '**metformin**', 'metformin'],
    ['emphasis across words', '_Stop_ ***all* NSAIDs**', 'stop all nsaids', 'Stop_ ***all* NSAIDs'],
    ['code marks', 'Use `eGFR` here', 'use eGFR here', 'Use `eGFR` here'],
    ['a heading', '## Plan\nStop it', 'plan stop it', 'Plan\nStop it'],
    ['numbered lines', '1. Check ACR\n2) Stop NSAIDs', 'check ACR stop NSAIDs', 'Check ACR\n2) Stop NSAIDs'],
    [
      'numbered lines with their numbers',
      'So:\n1. Check ACR\n2. Stop',
      '1. check ACR 2. stop',
      '1. Check ACR\n2. Stop',
    ],
    ['list markers in one line', '- check ACR\n- stop', 'check ACR - stop', 'check ACR\n- stop'],
    [
      'a table',
      '| drug | dose |\n|---|---|\n| A | 5 mg |',
      'drug dose a 5 mg',
      'drug | dose |\n|---|---|\n| A | 5 mg',
    ],
    ['cells with a pipe between', '| A | 5 mg |', 'A | 5 mg', 'A | 5 mg'],
    ['a word broken at a line end', 'severe hyper-\nkalaemia is', 'hyperkalaemia is', 'hyper-\nkalaemia is'],
    ['a compound broken at a line end', 'a long-\nterm risk', 'long-term risk', 'long-\nterm risk'],
    ['a broken word in one line', 'severe hyper-\nkalaemia', 'hyper- kalaemia', 'hyper-\nkalaemia'],
    ['a comparison at its begin', 'eGFR < 30', '< 30', '30'],
    ['a number that begins with a point', 'Give .5 mg', '.5 mg', '5 mg'],
    ['a number at the end of a sentence', 'below 30. Stop it', 'below 30', 'below 30'],
    ['words written without spaces', '慢性腎臓病です', '腎臓', '腎臓'],
    ['an underscore in a name', 'see egfr_ckd_epi here', 'egfr_ckd_epi', 'egfr_ckd_epi'],
  ])('finds %s', (_, answer, quote, stretch) => {
    expect(found(answer, quote)).toBe(stretch);
  });

  it.each([
    ['another word', 'chromosome 18', 'chromosome 19'],
    ['parts with an ellipsis between', 'BCL2 is a gene on chromosome 18', 'BCL2 ... chromosome 18'],
    ['a letter without its accent', 'x\u0301y', 'x'],
    ['an accent without its letter', 'x\u0301y', '\u0301y'],
    ['half a fraction', '½ mg', '2 mg'],
    ['half a surrogate pair', '😀', '\ud83d'],
    ['nothing', 'text', ''],
    ['white space alone', 'a b', ' \n'],
    ['anything in an empty answer', '', 'a'],
    ['white space that is not there', 'mmol/L', 'mmol / L'],
    ['a word inside a word', 'This is unsafe.', 'safe'],
    ['the beginning of a word', 'hyperkalaemia', 'hyper'],
    ['a dose inside a dose', 'Give 15 mg.', '5 mg'],
    ['the decimals of a dose', 'Give 2.5 mg', '5 mg'],
    ['decimals after a comma', 'Give 2,5 mg', '5 mg'],
    ['decimals after a raised point', 'Give 2·5 mg', '5 mg'],
    ['a dose without the point before it', 'Give .5 mg', '5 mg'],
    ['a point that belongs to another number', 'Give 2.5 mg', '.5 mg'],
    ['a value without its decimals', 'INR 2.5 today', 'INR 2'],
    ['the end of a grouped number', 'Give 1,000 mg', '000 mg'],
    ['digits before a unit without a space', '15毫克', '5毫克'],
    ['digits joined by emphasis', '**1**5 mg', '5 mg'],
    ['a verb without its negation', 'You can’t take it', 'You can'],
    ['another comparison', 'eGFR > 30', '< 30'],
    ['a range broken at a line end, as one number', 'in 1-\n2 weeks', '12 weeks'],
    ['a product as one number', '5*3 tablets', '53 tablets'],
    ['marks alone', 'a ... b', '"...!"'],
    ['emphasis alone', '**a**', '**'],
    ['another number of a list, with its line', 'so:\n3. Stop NSAIDs', 'so:\n4. Stop NSAIDs'],
    ['a number that the list does not have', '3. Stop NSAIDs', '4. Stop NSAIDs'],
  ])('does not find %s', (_, answer, quote) => {
    expect(verifyQuote(answer, quote)).toBeNull();
  });

  const pieces = fc.constantFrom(
    ...[
      'a',
      'B',
      ' ',
      '\n\t',
      'é',
      'e\u0301',
      'ﬁ',
      '½',
      '😀',
      '👩‍⚕️',
      'Σ',
      'ß',
      'İ',
      '\u3131',
      '\u314f',
      '가',
      '\u0301',
      '´',
      '🇩🇪',
      '\r\n',
      '…',
      'ｶﾞ',
      '\u09c7\u09be',
      '\ud800',
    ],
  );
  const text = fc
    .array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 2 })), { maxLength: 30 })
    .map((parts) => parts.join(''));

  const word = fc.constantFrom(
    'stop',
    'Metformin',
    '5.',
    '2.5,',
    'mg',
    'é',
    'ﬁrst',
    '½)',
    'it’s',
    '“no”',
    '–',
    '**bold**',
    '_x_',
    '`code`',
    '😀',
    'Σ',
    '18.',
    '(eGFR',
    '30)',
    '1,000;',
    'e\u0301',
    'a\u00adb',
  );
  const gap = fc.constantFrom(' ', '  ', '\n', '\n- ', '\u00a0', '\n\n## ', ' | ');

  it('finds every run of whole words, in any case and with end marks around it, and what it finds is the same', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(word, gap), { minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.nat(),
        (parts, a, b) => {
          const [from, to] = [a % parts.length, b % parts.length].sort((x, y) => x - y) as [number, number];
          const join = (some: typeof parts) =>
            some.map(([w, g], i) => (i === some.length - 1 ? w : w + g)).join('');
          const [answer, quote] = [join(parts), join(parts.slice(from, to + 1))];
          fc.pre(/[\p{L}\p{N}]/u.test(quote));
          for (const form of [quote, quote.toUpperCase(), `"${quote}."`, ` ${quote} `, `**${quote}**`]) {
            const place = verifyQuote(answer, form);
            expect([form, place]).not.toEqual([form, null]);
            const letters = (t: string) => normalised(t, 'flat').text.replace(/[^\p{L}\p{N}]/gu, '');
            expect(letters(answer.slice(place!.start, place!.end))).toBe(letters(quote));
            expect(answer.slice(place!.start, place!.end)).toMatch(
              /^[\p{L}\p{N}].*?[\p{L}\p{N}\p{M}]$|^[\p{L}\p{N}]$/su,
            );
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('finds nothing whose normalised form is not in the normalised answer', () => {
    fc.assert(
      fc.property(text, text, (answer, quote) => {
        const place = verifyQuote(answer, quote);
        if (place === null) return;
        const letters = (t: string) => normalised(t, 'flat').text.replace(/[^\p{L}\p{N}]/gu, '');
        expect(letters(answer.slice(place.start, place.end))).toBe(letters(quote));
        expect(0 <= place.start && place.start < place.end && place.end <= answer.length).toBe(true);
      }),
    );
  });
});

describe('normalised', () => {
  it('keeps the places in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (original) => {
        const { starts, ends, borders, text } = normalised(original);
        let reached = 0;
        for (let i = 0; i < text.length; i++) {
          if (borders[i] === 1) expect(starts[i]).toBeGreaterThanOrEqual(reached);
          expect(ends[i]).toBeGreaterThan(starts[i]!);
          reached = ends[i]!;
        }
        expect(reached).toBeLessThanOrEqual(original.length);
      }),
    );
  });
});

describe('searchQuote', () => {
  const quantity = fc.constantFrom(
    '<5 mg',
    '≥ 30 mL/min/1.73 m²',
    '2 – 5 mg/kg/day',
    '10 000 units',
    '3 x 500 mg',
    'between 2 and 5 mmol/L',
    '−4 °C',
    '120/80 mmHg',
    '5 mg per kg per day',
  );

  it('finds a quantity whole, and no part of it that begins or ends with a part', () => {
    fc.assert(
      fc.property(quantity, fc.nat(), fc.nat(), (written, a, b) => {
        const answer = `Give ${written}, then stop.`;
        expect(searchQuote(answer, written)).toMatchObject({ negatedContext: false });
        expect(answer).toContain(found(answer, written));
        const words = written.split(' ');
        const [from, to] = [a % words.length, b % words.length].sort((x, y) => x - y) as [number, number];
        const part = words.slice(from, to + 1).join(' ');
        fc.pre(part !== written && /[\p{L}\p{N}]/u.test(part));
        const whole = normalised(written).text;
        for (const quote of [
          part,
          ...(from === 0 ? [`give ${part}`] : to === words.length - 1 ? [`${part}, then`] : []),
        ])
          expect([quote, searchQuote(answer, quote)]).toEqual([
            quote,
            { place: null, quantity: whole, negatedContext: false },
          ]);
      }),
    );
  });

  it('keeps the first quantity cut where no occurrence is whole', () => {
    expect(searchQuote('2-5 mg, or 5 mg/kg', '5 mg').quantity).toBe('2-5 mg');
  });

  it('prefers an occurrence without a negation', () => {
    const answer = 'It is not safe. Later it is safe.';
    expect(searchQuote(answer, 'safe')).toEqual({
      place: { start: 28, end: 32 },
      quantity: null,
      negatedContext: false,
    });
  });
});

describe('findQuotePlaces', () => {
  it('gives the places without a negation first', () => {
    const places = findQuotePlaces('No salt. Eat salt\n- no salt\n- salt', 'salt');
    expect(places.map(({ start, isNegated }) => [start, isNegated])).toEqual([
      [13, false],
      [30, false],
      [3, true],
      [23, true],
    ]);
  });

  it('gives no two places that overlap', () => {
    const places = findQuotePlaces('no no no no', 'no no');
    expect(places.map(({ start, end }) => [start, end]).sort(([a], [b]) => a! - b!)).toEqual([
      [0, 5],
      [6, 11],
    ]);
  });
});

it('is not confused by turns of two answers', () => {
  for (const turn of [1, 2]) {
    expect([turn, verifyQuote('one', 'one'), verifyQuote('two one', 'one')]).toEqual([
      turn,
      { start: 0, end: 3 },
      { start: 4, end: 7 },
    ]);
  }
});
