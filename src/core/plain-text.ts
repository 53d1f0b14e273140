import { stripVTControlCharacters } from 'node:util';

/**
 * Text from a file or a model, made safe for a terminal: no escape sequences, no control characters, nothing that reverses or hides text.
 *
 * @example
 * ```ts
 * plain('a\u001b[31mred\u0007') // => 'ared?'
 * ```
 */
export function plain(text: string): string {
  return stripVTControlCharacters(text).replace(CONTROLS, '?');
}

/** Control characters, marks that reverse the direction of text, line separators and invisible characters; not the joiners that scripts and emoji need. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must go
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/**
 * The same, cut to a length: for names and messages that a provider sends.
 *
 * @example
 * ```ts
 * plainLine('gpt\u202e-5\n' + 'x'.repeat(100), 10) // => 'gpt?-5?xx…'
 * ```
 */
export function plainLine(text: string, longest: number): string {
  // Twice the length is enough to begin with, and keeps a long text cheap.
  const line = plain(text.slice(0, 2 * longest).toWellFormed());
  return line.length > longest ? `${line.slice(0, longest - 1).toWellFormed()}…` : line;
}
