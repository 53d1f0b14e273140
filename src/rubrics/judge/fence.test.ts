import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fenceCode } from './fence.ts';

describe('fenceCode', () => {
  it('is the same for the same texts, and another where one letter differs', () => {
    expect(fenceCode(['question', 'answer'])).toBe(fenceCode(['question', 'answer']));
    expect(fenceCode(['question', 'answer'])).not.toBe(fenceCode(['question', 'answer.']));
    expect(fenceCode(['ab', 'c'])).not.toBe(fenceCode(['a', 'bc']));
  });

  it('takes the next code where a text holds the first', () => {
    // Nobody can write a text that holds its own hash of 16 digits; with one digit it is easy.
    expect(fenceCode(['0123456789abcde'], 1)).toBe('f');
    expect(fenceCode(['0123456789', 'BCDEF'], 1)).toBe('a');
  });

  it('never stands in a text', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdefF '), maxLength: 20 });
    fc.assert(
      fc.property(fc.array(digits, { maxLength: 4 }), (texts) => {
        const code = fenceCode(texts, 2);
        expect(texts.some((text) => text.toLowerCase().includes(code))).toBe(false);
      }),
    );
  });
});
