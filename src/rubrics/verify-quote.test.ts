import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalised } from './normalised-text.ts';
import { verifyQuote } from './verify-quote.ts';

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
    ['an emoji of several parts', 'ok 👩‍⚕️ says', '👩‍⚕️ says', '👩‍⚕️ says'],
    ['a final sigma', 'ΝΕΦΡΟΣ', 'νεφρος', 'ΝΕΦΡΟΣ'],
    ['dotted capital I', 'İnsülin', 'i\u0307nsülin', 'İnsülin'],
    ['one ellipsis for three dots', 'wait… then act', 'wait... then', 'wait… then'],
    ['Korean letters that compose', '각 \u3131\u314f 나', '가 나', '\u3131\u314f 나'],
    ['an accent that unfolds to a space', 'it´s', 'it´s', 'it´s'],
    ['later, where an earlier place cuts a character', '½2 mg', '2 mg', '2 mg'],
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
    ['other quotation marks', 'don’t', "don't"],
    ['white space that is not there', 'mmol/L', 'mmol / L'],
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

  it('finds every stretch of the text between two borders, in any case, and what it finds is the same', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (answer, a, b) => {
        const { text: whole, starts, ends, borders } = normalised(answer);
        const cuts = [...borders.keys()].filter((i) => borders[i] === 1);
        const [from, to] = [cuts[a % cuts.length]!, cuts[b % cuts.length]!].sort((x, y) => x - y);
        const wanted = whole.slice(from, to);
        const quote = from === to ? '' : answer.slice(starts[from!]!, ends[to! - 1]!);
        // Cut out of its context, a stretch may compose or trim otherwise; then it is another quote.
        fc.pre(normalised(quote.trim()).text === wanted && wanted !== '');
        const place = verifyQuote(answer, quote);
        expect(place).not.toBeNull();
        expect(normalised(answer.slice(place!.start, place!.end)).text).toBe(wanted);
        expect(place!.start).toBeLessThanOrEqual(starts[from!]!);
        if (!/[İß]/.test(quote)) expect(verifyQuote(answer, quote.toLowerCase())).toEqual(place);
      }),
      { numRuns: 500 },
    );
  });

  it('finds nothing whose normalised form is not in the normalised answer', () => {
    fc.assert(
      fc.property(text, text, (answer, quote) => {
        const place = verifyQuote(answer, quote);
        if (place === null) return;
        expect(normalised(answer).text).toContain(normalised(quote.trim()).text);
        expect(0 <= place.start && place.start < place.end && place.end <= answer.length).toBe(true);
      }),
    );
  });
});

describe('normalised', () => {
  it('is the NFKC of the whole in lower case, where no white space is folded', () => {
    const visible = fc.string({ unit: 'grapheme-composite', maxLength: 20 }).filter((t) => !/\s/.test(t));
    fc.assert(
      fc.property(visible, (t) => {
        expect(normalised(t).text).toBe(
          [...t.normalize('NFKC')]
            .map((c) => c.toLowerCase())
            .join('')
            .replaceAll('ς', 'σ'),
        );
      }),
    );
  });

  it('covers the original without gaps', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (original) => {
        const { starts, ends, borders, text } = normalised(original);
        let reached = 0;
        for (let i = 0; i < text.length; i++) {
          if (borders[i] === 1) expect(starts[i]).toBe(reached);
          reached = ends[i]!;
        }
        expect(reached).toBe(original.length);
      }),
    );
  });
});

it('starts at the given offset', () => {
  expect(verifyQuote('a a', 'a', 1)).toEqual({ start: 2, end: 3 });
  expect(verifyQuote('a a', 'a', 3)).toBeNull();
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
