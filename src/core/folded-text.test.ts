import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText } from './folded-text.ts';

describe('foldText', () => {
  it.each([
    ['JOSÉ', 'jose'],
    ['Jose\u0301', 'jose'],
    ['Straße', 'strasse'],
    ['STRASSE', 'strasse'],
    ['ﬁne ½', 'fine12'],
    ['q\u200bu i-b\nb', 'quibb'],
    ['12.03.1961', '12031961'],
    ['\u{1d7d8}１', '01'],
  ])('folds %j to %j', (text, folded) => {
    expect(foldText(text).text).toBe(folded);
  });

  it('knows where each unit came from', () => {
    const { starts, ends, borders } = foldText('ab, ﬁe\u0301');
    expect([...starts.slice(0, 5)]).toEqual([0, 1, 4, 4, 5]);
    expect([...ends.slice(0, 5)]).toEqual([1, 2, 5, 5, 6]);
    expect([...borders.slice(0, 6)]).toEqual([1, 0, 1, 0, 0, 1]);
  });

  it('folds any text to letters and digits, each within the original', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (original) => {
        const { text, starts, ends } = foldText(original);
        expect(text).toMatch(/^[\p{L}\p{N}]*$/u);
        for (let i = 0; i < text.length; i++)
          expect(original.slice(starts[i], ends[i]).length).toBeGreaterThan(0);
      }),
    );
  });
});
