import { describe, expect, it } from 'vitest';
import { isBelowMinimum, minTokens } from './ask-model.ts';

describe('the fewest tokens that a text can take', () => {
  // Token counts of OpenAI's o200k vocabulary.
  it.each([
    [
      'English',
      'The patient was given 5 mg of amlodipine and sent home with a follow-up visit in two weeks.',
      21,
    ],
    ['spaces', ' '.repeat(5000), 40],
    ['rules', `${'-'.repeat(80)}\n`.repeat(50), 100],
    ['dot leaders', `Creatinine ${'.'.repeat(90)} 1.2`, 9],
    ['one repeated character', '='.repeat(5000), 79],
  ])('is no more than a real tokenizer makes of %s', (_, text, tokens) => {
    expect(minTokens([text])).toBeLessThanOrEqual(tokens);
    expect(isBelowMinimum(tokens, [text])).toBe(false);
  });

  it('is at least a quarter of what it takes for prose', () => {
    const text = 'A man of 61 with diabetes has had chest pain since this morning. '.repeat(40);
    expect(minTokens([text])).toBeGreaterThan(text.length / 4 / 4 - 1);
    expect(isBelowMinimum(1, [text])).toBe(true);
    expect(isBelowMinimum(Math.floor(text.length / 4 / 24), [text])).toBe(true);
  });

  it('counts bytes, and all texts together', () => {
    expect(minTokens(['äöüß', 'abcd'])).toBe(12 / 16);
    expect(isBelowMinimum(0, [''])).toBe(false);
  });
});
