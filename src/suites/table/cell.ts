const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const CODE = /^[+-]?0\d/; // 007 is a code
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
    const value = numbers.size === 0 ? null : readNumber(cell);
    return value !== null && numbers.has(value);
  };
}

/**
 * The number written in a cell, or null when it is none.
 *
 * @example
 * ```ts
 * ['4.10', '-3', '1,5', '12 mg', '1e999'].map(readNumber) // => [4.1, -3, null, null, null]
 * ```
 */
export function readNumber(cell: string): number | null {
  if (!NUMBER.test(cell)) return null;
  const value = Number(cell);
  return Number.isFinite(value) ? value : null;
}

/**
 * Whether a cell is a number when its column declares no type: not a code with leading zeros, and not more digits than a number holds.
 *
 * @example
 * ```ts
 * ['12.5', '0.5', '007', '12345678901234567890'].map(isPlainNumber) // => [true, true, false, false]
 * ```
 */
export function isPlainNumber(cell: string): boolean {
  const value = readNumber(cell);
  return value !== null && !CODE.test(cell) && (!Number.isInteger(value) || Number.isSafeInteger(value));
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
