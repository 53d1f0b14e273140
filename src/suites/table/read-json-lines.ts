import { shown } from '../../core/index.ts';
import { type FileProblem, fileProblem } from '../file-problem.ts';
import { MAX_COLUMNS, type Table } from './table.ts';

type Flat = Readonly<Record<string, unknown>>;

/**
 * Cuts JSONL into cells: one flat object a line; `texts` gives the pieces of the text each time it is called. The columns are the keys found; a key that a line lacks, and null, are empty cells.
 *
 * @example
 * ```ts
 * const table = readJsonLines(() => ['{"age":61,"sex":"f"}\n{"age":null,"site":"b"}\n']);
 * table.header; // => ['age', 'sex', 'site']
 * [...table.rows()][1] // => { line: 2, cells: ['', '', 'b'] }
 * ```
 */
export function readJsonLines(texts: () => Iterable<string>): Table {
  const spellings = new Map<string, Set<string>>();
  for (const { value } of objectsIn(texts())) {
    for (const key of Object.keys(value)) {
      const name = key.trim();
      spellings.set(name, (spellings.get(name) ?? new Set()).add(key));
    }
    // Whoever opens the table refuses it.
    if (spellings.size > MAX_COLUMNS) break;
  }
  const header = [...spellings.keys()];
  const twice = header.filter((name) => spellings.get(name)!.size > 1);
  return {
    header,
    *rows(onProblem) {
      const found = 'keys that differ only in blanks';
      for (const name of twice)
        onProblem?.(fileProblem('one spelling', { column: name, value: name, found }));
      const columns = [...spellings.values()].map((keys) => [...keys].at(-1)!);
      for (const { line, value } of objectsIn(texts(), onProblem))
        yield {
          line,
          cells: columns.map((key) => (Object.hasOwn(value, key) ? String(value[key] ?? '').trim() : '')),
        };
    },
  };
}

/** The objects of the lines that hold one; the other lines are problems. */
function* objectsIn(
  texts: Iterable<string>,
  onProblem?: (problem: FileProblem) => void,
): Generator<{ readonly line: number; readonly value: Flat }> {
  let line = 0;
  for (const source of linesOf(texts)) {
    line += 1;
    if (source.trim() === '') continue;
    const value = parseLine(source);
    const wrong =
      value === undefined
        ? [fileProblem('one JSON object on the line', { line, value: source.trim() })]
        : cellProblems(value, line);
    for (const problem of wrong) onProblem?.(problem);
    if (value !== undefined && wrong.length === 0) yield { line, value };
  }
}

function* linesOf(texts: Iterable<string>): Generator<string> {
  let rest = '';
  for (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  yield rest;
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
      return [fileProblem('text, a number, true, false or null', { line, column, value: shown(cell) })];
    if (Number.isInteger(cell) && !Number.isSafeInteger(cell))
      return [
        fileProblem('such a long number in quotes, or it is rounded', { line, column, value: String(cell) }),
      ];
    return [];
  });
}
