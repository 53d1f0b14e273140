import stringWidth from 'string-width';

/** Columns that a text takes on a terminal: East-Asian wide characters take two; combining marks and colours take none. */
export function displayWidth(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text);
}

/** Blanks to break at; `p < 0.01`, `n = 12` and `95 %` stay together. */
const BLANKS = /((?<![<=]) +(?![<=%]))/;

export interface WrapOptions {
  /** Blanks before every line but the first. Default: 0. */
  readonly hang?: number;
  /** Whether a word that is too long is broken. Default: false, so that paths and addresses can be copied; text in a wide script is always broken, since it has no blanks. */
  readonly folds?: boolean;
}

/** Breaks a line at its blanks so that no part is wider than `width`. */
export function wrap(text: string, width: number, { hang = 0, folds = false }: WrapOptions = {}): string[] {
  if (displayWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  let gap = '';
  for (const [i, piece] of text.split(BLANKS).entries()) {
    // The pattern captures the blanks: every second piece is a gap.
    if (i % 2 === 1) {
      gap = piece;
      continue;
    }
    for (const [part, word] of splitWord(piece, width - hang, folds).entries()) {
      const joined = part === 0 ? `${line}${gap}${word}` : `${line}${word}`;
      if (displayWidth(joined) <= width || line.trim() === '') {
        line = joined;
        continue;
      }
      lines.push(line);
      line = `${' '.repeat(hang)}${word}`;
    }
  }
  return closedStyles([...lines, line]);
}

/** A word in the parts that it may be broken into. */
function splitWord(word: string, width: number, folds: boolean): string[] {
  const own = displayWidth(word);
  if (own <= width || word.includes('\u001b') || !(folds || isWide(word))) return [word];
  return word.split(/(?<=[/_-])/).flatMap((part) => (displayWidth(part) <= width ? [part] : letters(part)));
}

function isWide(word: string): boolean {
  return displayWidth(word) > [...graphemes.segment(word)].length;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function letters(word: string): string[] {
  return Array.from(graphemes.segment(word), ({ segment }) => segment);
}

/** Ends a colour at the end of its line and resumes it on the next, so that it does not run into another column. */
function closedStyles(lines: readonly string[]): string[] {
  let open = '';
  return lines.map((line) => {
    const styled = `${open}${line}`;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with it
    const [code, number] = [...styled.matchAll(/\u001b\[(\d+)m/g)].at(-1) ?? ['', '0'];
    open = ['0', '22', '39', '49'].includes(number!) ? '' : code;
    return open === '' ? styled : `${styled}\u001b[${Number(number) < 10 ? 22 : 39}m`;
  });
}
