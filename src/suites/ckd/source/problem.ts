import { quoted } from '../../../core/index.ts';
import { UCI_EXTRAS, UCI_FEATURES } from './columns.ts';

/** One thing that is wrong with a file, and where. */
export interface UciProblem {
  /** Line in the file, from 1; null when it concerns the file as a whole. */
  readonly line: number | null;
  /** The column's name in our spelling, or in the file's when we do not know it; null when it concerns no one column. */
  readonly column: string | null;
  /** What stands there; null when nothing does. */
  readonly value: string | null;
  /** What may stand there. */
  readonly expected: string;
}

const LABELS = new Map<string, string>(
  [...UCI_FEATURES, ...UCI_EXTRAS].map(({ name, label }) => [name, label]),
);

/**
 * A problem in one line. File content is quoted, shortened and made harmless for a terminal.
 *
 * @example
 * ```ts
 * problemText({ line: 7, column: 'htn', value: 'maybe', expected: 'one of yes, no' })
 * // => 'line 7, column htn (hypertension): "maybe"; expected one of yes, no'
 * problemText({ line: null, column: null, value: null, expected: 'at least one row of data' })
 * // => 'the file: nothing there; expected at least one row of data'
 * ```
 */
export function problemText(problem: UciProblem): string {
  const where: string[] = [];
  if (problem.line !== null) where.push(`line ${problem.line}`);
  if (problem.column !== null) {
    const label = LABELS.get(problem.column);
    const known = label !== undefined || problem.column === 'id' || problem.column === 'class';
    const name = known ? problem.column : quoted(problem.column);
    where.push(label === undefined || label === name ? `column ${name}` : `column ${name} (${label})`);
  }
  const place = where.join(', ') || 'the file';
  const found = problem.value === null ? 'nothing there' : quoted(problem.value);
  return `${place}: ${found}; expected ${problem.expected}`;
}
