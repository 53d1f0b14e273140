import { describe, expect, it } from 'vitest';
import { isNegatedAt } from './verify-quote.ts';

const endsNegated = (text: string) => isNegatedAt(`${text}safe`, text.length);

// Each word of the ruling is a case of conformance/rubrics.json; here is what they leave open.
describe('isNegatedAt', () => {
  it.each(['not "', "not a '", "mustn't be ", 'can not ', 'without history of the '])(
    '%j negates',
    (text) => {
      expect(endsNegated(text)).toBe(true);
    },
  );

  it.each([
    '',
    'nothing ',
    'canon-',
    'sun-',
    'anon ',
    'not (',
    'not; ',
    'not only ',
    'evidence of ',
    'no evidence for ',
  ])('%j does not', (text) => {
    expect(endsNegated(text)).toBe(false);
  });

  it.each('a an the any be been being considered strictly absolutely currently generally yet'.split(' '))(
    'looks past %j',
    (filler) => {
      expect(endsNegated(`never ${filler} `)).toBe(true);
      expect(endsNegated(`${filler} `)).toBe(false);
    },
  );

  it('looks at the end of a long text', () => {
    expect(endsNegated(`${'no '.repeat(70_000)}evidence of considered absolutely `)).toBe(true);
    expect(endsNegated(`not ${'x'.repeat(200_000)} `)).toBe(false);
  });
});
