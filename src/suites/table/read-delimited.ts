import { DELIMITER_NAMES, type Delimiter, delimitedRows, UnclosedQuote } from '../../core/delimited/index.ts';
import { counted } from '../../core/index.ts';
import { type FileProblem, fileProblem } from '../file-problem.ts';
import type { Table, TableRow } from './table.ts';

/**
 * Cuts delimited text into cells; `texts` gives the pieces of the text each time it is called. The first line names the columns. Blank lines, lines with separators only, and
 * columns with neither a name nor a cell are skipped.
 *
 * @example
 * ```ts
 * const table = readDelimited(() => ['age,sex\n61, f \n'], ',');
 * table.header; // => ['age', 'sex']
 * [...table.rows()] // => [{ line: 2, cells: ['61', 'f'] }]
 * ```
 */
export function readDelimited(texts: () => Iterable<string>, delimiter: Delimiter): Table {
  const first = firstRow(texts(), delimiter);
  const other = first && otherSeparator(first, delimiter);
  if (other)
    return {
      header: [],
      rows: (onProblem) => {
        onProblem?.(other);
        return [];
      },
    };
  const names = first?.cells ?? [];
  const named = names.map((_, i) => i).filter((i) => names[i] !== '');
  const isWhole = named.length === names.length;
  return {
    header: named.map((i) => names[i]!),
    *rows(onProblem) {
      const nameless = new Set<number>();
      const ragged = (row: TableRow) =>
        fileProblem(
          `${names.length}, one per column of line ${first!.line} (put a text that holds ${DELIMITER_NAMES[delimiter]}s in quotation marks)`,
          { line: row.line, found: counted(row.cells.length, 'field') },
        );
      for (const problem of repeatedNames(names, first?.line ?? 1)) onProblem?.(problem);
      let isHeader = true;
      try {
        for (const row of delimitedRows(texts(), delimiter)) {
          if (isBlank(row)) continue;
          if (isHeader) isHeader = false;
          else if (row.cells.length !== names.length) onProblem?.(ragged(row));
          else if (isWhole) yield row;
          else {
            row.cells.forEach((cell, i) => {
              if (cell !== '' && names[i] === '') nameless.add(i);
            });
            yield { line: row.line, cells: named.map((i) => row.cells[i]!) };
          }
        }
      } catch (error) {
        if (!(error instanceof UnclosedQuote)) throw error;
        const found = 'a quotation mark in the row that begins here is never closed';
        onProblem?.(fileProblem('text in pairs of quotation marks', { line: error.line, found }));
      }
      const expected = 'a name for every column (pandas writes a nameless one without index=False)';
      for (const i of nameless)
        onProblem?.(fileProblem(expected, { line: first!.line, found: `field ${i + 1} has no name` }));
    },
  };
}

function isBlank({ cells }: TableRow): boolean {
  return cells.every((cell) => cell === '');
}

function firstRow(texts: Iterable<string>, delimiter: Delimiter): TableRow | null {
  try {
    for (const row of delimitedRows(texts, delimiter)) if (!isBlank(row)) return row;
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
  }
  return null;
}

/** A header of one field that holds another separator: no column in it is what it seems. */
function otherSeparator({ line, cells }: TableRow, delimiter: Delimiter): FileProblem | null {
  const other = ([',', '\t', ';', '|'] as const).find(
    (mark) => cells.length === 1 && cells[0]!.includes(mark),
  );
  if (other === undefined) return null;
  const found = `fields separated by ${DELIMITER_NAMES[other]}s`;
  return fileProblem(`${DELIMITER_NAMES[delimiter]}s, as stated`, { line, found });
}

function repeatedNames(names: readonly string[], line: number): FileProblem[] {
  const found = 'a second column of this name';
  const seen = new Set<string>();
  return names
    .filter((name) => {
      const isRepeated = name !== '' && seen.has(name);
      seen.add(name);
      return isRepeated;
    })
    .map((name) => ({ line, column: name, value: name, found, expected: 'different names' }));
}
