/** Abbreviations of the characters that reverse the direction of text or cannot be seen, as Unicode names them. */
const NAMES: Readonly<Record<string, string>> = {
  '\u00ad': 'SHY',
  '\u061c': 'ALM',
  '\u180e': 'MVS',
  '\u200b': 'ZWSP',
  '\u200e': 'LRM',
  '\u200f': 'RLM',
  '\u2028': 'LSEP',
  '\u2029': 'PSEP',
  '\u202a': 'LRE',
  '\u202b': 'RLE',
  '\u202c': 'PDF',
  '\u202d': 'LRO',
  '\u202e': 'RLO',
  '\u2060': 'WJ',
  '\u2066': 'LRI',
  '\u2067': 'RLI',
  '\u2068': 'FSI',
  '\u2069': 'PDI',
  '\ufeff': 'BOM',
};

/** Everything that `plain` removes but tabs and line breaks, and characters that only tools can see; not the joiners that scripts and emoji need. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be shown
  /[\u0000-\u0008\u000b-\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/**
 * Text in pieces, with a visible mark (`isMark`) for each character that reverses the direction of text or cannot be seen.
 *
 * @example
 * ```ts
 * visiblePieces('a\u202eb').map(({ text }) => text) // => ['a', '⟨RLO⟩', 'b']
 * ```
 */
export function visiblePieces(text: string) {
  const pieces: { readonly text: string; readonly isMark: boolean }[] = [];
  let end = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (index > end) pieces.push({ text: text.slice(end, index), isMark: false });
    pieces.push({ text: formatMark(character), isMark: true });
    end = index + character.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMark: false });
  return pieces;
}

/** The same as one text, for places that cannot style the marks: titles, options, charts. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, formatMark);
}

function formatMark(character: string): string {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return `\u27e8${NAMES[character] ?? `U+${code}`}\u27e9`;
}
