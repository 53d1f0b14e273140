/** One line of cells. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** What a spreadsheet takes for the beginning of a formula; the last four are the full-width forms, which some accept too. Apostrophes before it get one more, so that `krisis score` can take away the one that was added. */
const BEGINS_FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * One cell, quoted where necessary.
 *
 * @example
 * ```ts
 * csvCell('=1+1') // => "'=1+1"
 * csvCell('-0.5') // => '-0.5'
 * csvCell('a "b", c') // => '"a ""b"", c"'
 * ```
 */
export function csvCell(value: unknown): string {
  const text = cellText(value);
  const safe = BEGINS_FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** What a cell says, before it is quoted. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cellText).join('; ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
