import { describe, expect, it } from 'vitest';
import { visiblePieces, visibleText } from './visible-text.ts';

describe('visibleText', () => {
  it.each([
    ['direction overrides and isolates', 'a\u202eb\u2066c\u2069', 'a⟨RLO⟩b⟨LRI⟩c⟨PDI⟩'],
    ['characters without width', 'a\u200bb\ufeffc', 'a⟨ZWSP⟩b⟨BOM⟩c'],
    ['control characters', 'a\u0000b\u001bc', 'a⟨U+0000⟩b⟨U+001B⟩c'],
    ['invisible tags', 'a\u{e0041}b', 'a⟨U+E0041⟩b'],
    ['nothing in lines, tabs, scripts and emoji', 'שלום\n\tnaïve 👩‍⚕️ ⟨x⟩', 'שלום\n\tnaïve 👩‍⚕️ ⟨x⟩'],
  ])('marks %s', (_, text, expected) => expect(visibleText(text)).toBe(expected));
});

describe('visiblePieces', () => {
  it('separates marks from a text that contains the same letters', () => {
    expect(visiblePieces('⟨RLO⟩\u202e')).toEqual([
      { text: '⟨RLO⟩', isMark: false },
      { text: '⟨RLO⟩', isMark: true },
    ]);
    expect(visiblePieces('')).toEqual([]);
  });
});
