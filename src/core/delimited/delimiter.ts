import { KrisisError } from '../krisis-error.ts';
import { DELIMITERS, type Delimiter, rowCutter } from './rows.ts';

/**
 * The delimiters that fit the beginning of a file. One: that is it. Several: each of them cuts the text into columns, so it has to be stated. `usual` is the delimiter of a file with a
 * single column, and wins over those that make fewer columns.
 *
 * @example
 * ```ts
 * fittingDelimiters('age;weight\n61;70,5\n', ',') // => [';']
 * fittingDelimiters('age\n61\n', ',') // => [',']
 * fittingDelimiters('a;b,c\n1;2,3\n', ',') // => [',', ';']
 * ```
 */
export function fittingDelimiters(head: string, usual: Delimiter): readonly Delimiter[] {
  const tried = DELIMITERS.map((delimiter) => ({ delimiter, ...shape(head, delimiter) })).filter(
    ({ width }) => width > 1,
  );
  if (tried.length === 0) return [usual];
  const best = Math.max(...tried.map(({ fit }) => fit));
  const fitting = tried.filter(({ fit }) => fit === best);
  const own = fitting.find(({ delimiter }) => delimiter === usual);
  if (own && fitting.every(({ delimiter, width }) => delimiter === usual || width < own.width))
    return [usual];
  return fitting.map(({ delimiter }) => delimiter);
}

/** What separates fields, in words. */
export const DELIMITER_NAMES = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' } as const;

/** How much text decides about the delimiter. */
export const HEAD_CHARACTERS = 1 << 16;

/**
 * The delimiter of a text that begins like this. `name` is what an error calls the file.
 *
 * @throws KrisisError `ERR_FILE_AMBIGUOUS` where two delimiters fit.
 */
export function detectDelimiter(text: string, name: string, usual: Delimiter = ','): Delimiter {
  const head = text.slice(0, HEAD_CHARACTERS);
  const end = head.lastIndexOf('\n') + 1;
  const fitting = fittingDelimiters(end > 0 ? head.slice(0, end) : head, usual);
  if (fitting.length === 1) return fitting[0]!;
  const names = fitting.map((each) => `${DELIMITER_NAMES[each]}s`).join(' or ');
  throw new KrisisError(`${name}: its fields could be separated by ${names}; state the delimiter`, {
    code: 'ERR_FILE_AMBIGUOUS',
    value: fitting,
  });
}

/** How many columns a delimiter makes of the first row, and the share of rows that have as many. */
function shape(head: string, delimiter: Delimiter): { width: number; fit: number } {
  let width = 0;
  let nRows = 0;
  let nFitting = 0;
  const cutter = rowCutter(delimiter);
  for (const { cells } of [...cutter.write(head), ...cutter.end().rows]) {
    if (cells.every((cell) => cell === '')) continue;
    if (nRows === 0) width = cells.length;
    nRows += 1;
    // A mark that cuts through a quotation is part of the text.
    if (cells.length === width && cells.every((cell) => cell.split('"').length % 2 === 1)) nFitting += 1;
  }
  return { width, fit: nFitting / Math.max(1, nRows) };
}
