/** The letters and digits of a text, folded, with the place of each in the original. */
export interface FoldedText {
  /** Lower case, without accents, compatibility forms unfolded; white space, punctuation and invisible characters are left out. */
  readonly text: string;
  /** Where the character that each unit of `text` came from begins and ends in the original, in UTF-16 units. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** 1 where a word of the original begins or ends; one place more than `text` has units. */
  readonly borders: Uint8Array;
}

const NOT_FOLDED = '';
const folds = new Map<string, string>();

/**
 * Folds a text, so that a value is found in it however it is spelled: in capitals, with accents composed or apart, split by blanks, hyphens, line breaks or zero-width characters.
 *
 * @example
 * ```ts
 * foldText('Zoë-\nMarie').text // => 'zoemarie'
 * foldText('Zo\u200bë').text // => 'zoe'
 * ```
 */
export function foldText(original: string): FoldedText {
  const parts: string[] = [];
  // A character can unfold into several: 18 in the longest case, hardly ever more than one.
  let capacity = original.length + 32;
  let starts = new Int32Array(capacity);
  let ends = new Int32Array(capacity);
  let borders = new Uint8Array(capacity + 1);
  let length = 0;
  let isApart = true;
  let at = 0;
  for (const character of original) {
    const end = at + character.length;
    const form = folded(character);
    if (form === NOT_FOLDED) {
      // An accent belongs to its letter; everything else divides words.
      if (!MARK.test(character)) isApart = true;
    } else {
      if (length + form.length > capacity) {
        capacity *= 2;
        starts = grown(starts, new Int32Array(capacity));
        ends = grown(ends, new Int32Array(capacity));
        borders = grown(borders, new Uint8Array(capacity + 1));
      }
      if (isApart) borders[length] = 1;
      isApart = false;
      parts.push(form);
      starts.fill(at, length, length + form.length);
      ends.fill(end, length, length + form.length);
      length += form.length;
    }
    at = end;
  }
  borders[length] = 1;
  return { text: parts.join(''), starts, ends, borders };
}

const MARK = /^\p{M}$/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

function folded(character: string): string {
  const known = folds.get(character);
  if (known !== undefined) return known;
  const form = [...character.normalize('NFKD').toLowerCase().normalize('NFKD')]
    .filter((part) => LETTER_OR_DIGIT.test(part))
    .join('')
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ');
  folds.set(character, form);
  return form;
}

function grown<T extends Int32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/**
 * The readings of a text: as it is, and with its JSON escapes resolved in their place, blanks filling the rest, so that both have the same length. A value split by a line break is split by
 * `\\n` in a reply that is JSON.
 *
 * @example
 * ```ts
 * listReadings('Zo\\nltan')[1] // => 'Zo  ltan'
 * listReadings('\\u005aoltan')[1] // => 'Z     oltan'
 * ```
 */
export function listReadings(text: string): readonly string[] {
  if (!text.includes('\\')) return [text];
  const resolved = text.replace(/\\+(?:u([0-9a-f]{4})|[bfnrt])/gi, (written, code: string | undefined) =>
    (code === undefined ? ' ' : String.fromCharCode(Number.parseInt(code, 16))).padEnd(written.length),
  );
  return resolved === text ? [text] : [text, resolved];
}
