import { type DecimalMark, readNumber } from '../../core/delimited/decimal.ts';

const CODE = /^[+-]?0\d/; // 007 is a code
const LIKE_A_NUMBER = /^[+-]?[.,\d]/;
const YES = ['true', 'yes', '1'];
const NO = ['false', 'no', '0'];

/**
 * Whether a cell says "not measured": an empty one always, else by marker. Letter case matters (`NA` is a marker, `Na` may be sodium); a marker that is a
 * number is found however it is written.
 *
 * @example
 * ```ts
 * const missing = missingMarkers(['NA', -999]);
 * ['', 'NA', '-999.0', 'Na'].map(missing) // => [true, true, true, false]
 * ```
 */
export function missingMarkers(markers: readonly (string | number)[]): (cell: string) => boolean {
  const texts = new Set(markers.map((marker) => String(marker).trim()));
  const numbers = new Set([...texts].flatMap((text) => readNumber(text) ?? []));
  return (cell) => {
    if (cell === '' || texts.has(cell)) return true;
    const value = numbers.size === 0 ? null : (readNumber(cell) ?? readNumber(cell, ','));
    return value !== null && numbers.has(value);
  };
}

/** How numbers are written in a table. */
export interface Numerals {
  readonly mark: DecimalMark;
  /** The number written in a cell, or null when it is none. */
  readonly read: (cell: string) => number | null;
  /** Whether a cell is a number when its column declares no type: not a code with leading zeros, and not more digits than a number holds. */
  readonly isPlain: (cell: string) => boolean;
}

/**
 * Reads numbers with this decimal mark; `grouped` also reads digits in groups of three.
 *
 * @example
 * ```ts
 * ['4.10', '-3', '1,5', '12 mg', '1e999'].map(numerals('.').read); // => [4.1, -3, null, null, null]
 * ['12.5', '0.5', '007', '12345678901234567890'].map(numerals('.').isPlain) // => [true, true, false, false]
 * numerals(',').read('1,5') // => 1.5
 * ```
 */
export function numerals(mark: DecimalMark, grouped = false): Numerals {
  const read = (cell: string) => readNumber(cell, mark, grouped);
  const isPlain = (cell: string) => {
    // Most cells of text end here.
    if (!LIKE_A_NUMBER.test(cell)) return false;
    const value = read(cell);
    return value !== null && !CODE.test(cell) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  };
  return { mark, read, isPlain };
}

/**
 * True or false as people write it, or undefined when it is neither.
 *
 * @example
 * ```ts
 * ['Yes', '0', 'maybe'].map(readYesNo) // => [true, false, undefined]
 * ```
 */
export function readYesNo(cell: string): boolean | undefined {
  const word = cell.toLowerCase();
  return YES.includes(word) ? true : NO.includes(word) ? false : undefined;
}
