/** What separates the decimals of a number. */
export type DecimalMark = '.' | ',';

const NUMBER = {
  '.': /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i,
  ',': /^[+-]?(\d+,?\d*|,\d+)(e[+-]?\d+)?$/i,
};
/** Digits in groups of three: `1,234,567.8` and `1.234.567,8`. */
const GROUPED = { '.': /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/, ',': /^[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d+)?$/ };

/**
 * The number written in a cell, or null when it is none. `grouped` also reads digits in groups of three.
 *
 * @example
 * ```ts
 * ['4.10', '-3', '1,5', '12 mg', '1e999'].map((cell) => readNumber(cell)); // => [4.1, -3, null, null, null]
 * ['4,10', '1.234,5'].map((cell) => readNumber(cell, ',', true)) // => [4.1, 1234.5]
 * ```
 */
export function readNumber(cell: string, mark: DecimalMark = '.', grouped = false): number | null {
  let digits = cell;
  if (!NUMBER[mark].test(cell)) {
    if (!grouped || !GROUPED[mark].test(cell)) return null;
    digits = cell.replaceAll(mark === '.' ? ',' : '.', '');
  }
  const value = Number(mark === ',' ? digits.replace(',', '.') : digits);
  return Number.isFinite(value) ? value : null;
}

/**
 * Which decimal mark a cell shows: `.` in `1.5`, `,` in `1,5`. `1,234` is `either`, since it may be 1.234 or 1234. Null for a whole number and for what is no number.
 *
 * @example
 * ```ts
 * ['1.5', '0,5', '12,34', '1,234', '12', 'x'].map(decimalMarkIn) // => ['.', ',', ',', 'either', null, null]
 * ```
 */
export function decimalMarkIn(cell: string): DecimalMark | 'either' | null {
  if (!/[.,]/.test(cell)) return null;
  if (NUMBER['.'].test(cell)) return '.';
  if (/^[+-]?[1-9]\d{0,2},\d{3}$/.test(cell)) return 'either';
  return NUMBER[','].test(cell) || GROUPED[','].test(cell) ? ',' : null;
}
