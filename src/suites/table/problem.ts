import { KrisisError, quoted } from '../../core/index.ts';

/** One thing that is wrong with a table, and where. */
export interface TableProblem {
  /** Line in the file, from 1; null when it concerns the file as a whole. */
  readonly line: number | null;
  /** The column's name in the file; null when it concerns no one column. */
  readonly column: string | null;
  /** What stands in the cell; null when nothing does. */
  readonly value: string | null;
  readonly expected: string;
  /** What is the matter, where it is no single cell. */
  readonly found?: string;
}

const MOST_PROBLEMS = 20;

/**
 * A problem in one line; what comes from the file is quoted, shortened and made harmless for a terminal.
 *
 * @example
 * ```ts
 * tableProblemText({ line: 7, column: 'sodium', value: 'high', expected: 'a number' })
 * // => 'line 7, column "sodium": "high"; expected a number'
 * ```
 */
export function tableProblemText({ line, column, value, expected, found }: TableProblem): string {
  const where = [
    ...(line === null ? [] : [`line ${line}`]),
    ...(column === null ? [] : [`column ${quoted(column)}`]),
  ];
  const what = found ?? (value === null ? 'nothing there' : quoted(value));
  return `${where.join(', ') || 'the file'}: ${what}; expected ${expected}`;
}

/** One error for all problems of a file: up to 20 of them in its message, all of them in `value`. */
export function tableError(file: string, problems: readonly TableProblem[]): KrisisError {
  const more = problems.length - MOST_PROBLEMS;
  const lines = [
    `${quoted(file)} has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:`,
    ...problems.slice(0, MOST_PROBLEMS).map((problem) => `  ${tableProblemText(problem)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
  return new KrisisError(lines.join('\n'), { value: problems });
}
