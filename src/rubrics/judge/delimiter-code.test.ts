import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delimiterCode } from './judge-text.ts';

describe('delimiterCode', () => {
  it('is the same for the same texts, and another where one letter differs', () => {
    expect(delimiterCode(['question', 'answer'])).toBe(delimiterCode(['question', 'answer']));
    expect(delimiterCode(['question', 'answer'])).not.toBe(delimiterCode(['question', 'answer.']));
    expect(delimiterCode(['ab', 'c'])).not.toBe(delimiterCode(['a', 'bc']));
  });

  it('takes the next code where a text holds the first', () => {
    // Nobody can write a text that holds its own hash of 16 digits; with one digit it is easy.
    expect(delimiterCode(['0123456789abcde'], 1)).toBe('f');
    expect(delimiterCode(['0123456789', 'BCDEF'], 1)).toBe('a');
  });

  it('never occurs in a text', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdefF '), maxLength: 20 });
    fc.assert(
      fc.property(fc.array(digits, { maxLength: 4 }), (texts) => {
        const code = delimiterCode(texts, 2);
        expect(texts.some((text) => text.toLowerCase().includes(code))).toBe(false);
      }),
    );
  });
});
