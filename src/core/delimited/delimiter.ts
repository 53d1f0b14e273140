/** What separates the fields of a line. */
export type Delimiter = ',' | ';' | '\t' | '|';

const DELIMITERS: readonly Delimiter[] = [',', ';', '\t', '|'];

/**
 * The delimiter of a header line: the one that occurs most often outside of quotation marks; a comma where none occurs.
 *
 * @example
 * ```ts
 * delimiterOf('id;"a,b,c";y') // => ';'
 * delimiterOf('prediction') // => ','
 * ```
 */
export function delimiterOf(header: string): Delimiter {
  const bare = header.replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((mark) => bare.split(mark).length - 1);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}
