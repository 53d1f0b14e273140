import { type FileProblem, fileProblem } from '../file-problem.ts';
import type { Table } from './table.ts';

type Flat = Readonly<Record<string, unknown>>;

/**
 * Cuts JSONL into cells: one flat object a line. The columns are the keys found; a key that a line lacks, and null, are empty cells.
 *
 * @example
 * ```ts
 * const table = readJsonLines('{"age":61,"sex":"f"}\n{"age":null,"site":"b"}\n');
 * table.header // => ['age', 'sex', 'site']
 * table.rows[1] // => { line: 2, cells: ['', '', 'b'] }
 * ```
 */
export function readJsonLines(text: string): Table {
  const problems: FileProblem[] = [];
  const objects: { line: number; value: Flat }[] = [];
  for (const [i, source] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (source.trim() === '') continue;
    const line = i + 1;
    const value = parseLine(source);
    const wrong =
      value === undefined
        ? [fileProblem('one JSON object on the line', { line, value: source.trim() })]
        : cellProblems(value, line);
    problems.push(...wrong);
    if (value !== undefined && wrong.length === 0) objects.push({ line, value });
  }
  const keys = [...new Set(objects.flatMap(({ value }) => Object.keys(value)))];
  const keyOf = new Map(keys.map((key) => [key.trim(), key]));
  const header = [...keyOf.keys()];
  const twice = header.filter((name) => keys.filter((key) => key.trim() === name).length > 1);
  return {
    header,
    rows: objects.map(({ line, value }) => ({
      line,
      cells: [...keyOf.values()].map((key) =>
        Object.hasOwn(value, key) ? String(value[key] ?? '').trim() : '',
      ),
    })),
    problems: [
      ...problems,
      ...twice.map((name) =>
        fileProblem('one spelling', { column: name, value: name, found: 'keys that differ only in blanks' }),
      ),
    ],
  };
}

function parseLine(source: string): Flat | undefined {
  try {
    const value: unknown = JSON.parse(source);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Flat) : undefined;
  } catch {
    return undefined;
  }
}

function cellProblems(value: Flat, line: number): FileProblem[] {
  return Object.entries(value).flatMap(([column, cell]) => {
    if (typeof cell === 'object' && cell !== null)
      return [
        fileProblem('text, a number, true, false or null', { line, column, value: JSON.stringify(cell) }),
      ];
    if (Number.isInteger(cell) && !Number.isSafeInteger(cell))
      return [
        fileProblem('such a long number in quotes, or it is rounded', { line, column, value: String(cell) }),
      ];
    return [];
  });
}
