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

const MAX_SHOWN = 60;

/**
 * Text from a file, quoted so that it is safe to print.
 *
 * @example
 * ```ts
 * quoted('a\tb') // => '"a\\tb"'
 * ```
 */
export function quoted(text: string): string {
  const short = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
  // JSON escapes C0; C1 and the direction marks would still reach the terminal.
  return JSON.stringify(short).replace(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A value as a message may show it: short, and harmless for a terminal. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return String(value);
  const text = jsonText(value);
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // Nested too deeply for the stack.
    return Array.isArray(value) ? '[...]' : '{...}';
  }
}
