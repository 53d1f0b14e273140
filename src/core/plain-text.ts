import { stripVTControlCharacters } from 'node:util';

/**
 * Text from a file or a model, made safe for a terminal: no escape sequences, no control characters.
 *
 * @example
 * ```ts
 * plain('a\u001b[31mred\u0007') // => 'ared?'
 * ```
 */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must go
  return stripVTControlCharacters(text).replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
}
