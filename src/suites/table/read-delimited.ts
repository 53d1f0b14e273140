import { cutFields } from '../cut-fields.ts';
import { type FileProblem, fileProblem } from '../file-problem.ts';
import type { Table, TableRow } from './table.ts';

const NAMES = { ',': 'commas', '\t': 'tabs', ';': 'semicolons' } as const;

/**
 * Cuts the text of a CSV or TSV file into cells. The first line names the columns. Blank lines, lines with separators only, and
 * columns with neither a name nor a cell are skipped.
 *
 * @example
 * ```ts
 * readDelimited('age,sex\n61, f \n', ',').rows // => [{ line: 2, cells: ['61', 'f'] }]
 * readDelimited('age,sex\n61\n', ',').problems[0].found // => '1 field'
 * ```
 */
export function readDelimited(text: string, delimiter: ',' | '\t'): Table {
  const { rows: all, problems } = cut(text, delimiter);
  const [first, ...rows] = all.filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (first === undefined) return { header: [], rows: [], problems };
  const separator = otherSeparator(first, delimiter);
  if (separator.length > 0) return { header: [], rows: [], problems: [...problems, ...separator] };
  const width = first.cells.length;
  const ragged = rows
    .filter(({ cells }) => cells.length !== width)
    .map(({ line, cells }) =>
      fileProblem(
        `${width}, one per column of line ${first.line} (put a text that holds ${NAMES[delimiter]} in quotation marks)`,
        { line, found: `${cells.length} field${cells.length === 1 ? '' : 's'}` },
      ),
    );
  const fitting = rows.filter(({ cells }) => cells.length === width);
  const kept = first.cells
    .map((_, i) => i)
    .filter((i) => first.cells[i] !== '' || fitting.some(({ cells }) => cells[i] !== ''));
  const header = kept.map((i) => first.cells[i]!);
  return {
    header,
    rows: fitting.map(({ line, cells }) => ({ line, cells: kept.map((i) => cells[i]!) })),
    problems: [...problems, ...headerProblems(header, first.line), ...ragged],
  };
}

function cut(text: string, delimiter: string): Pick<Table, 'rows' | 'problems'> {
  const { rows, error } = cutFields(text.replace(/\r\n?/g, '\n'), {
    delimiter,
    bom: true,
    record_delimiter: '\n',
  });
  const found = 'a quotation mark that is never closed, or is in the wrong place';
  const expected = `text in pairs of quotation marks (the reader says: ${error})`;
  return {
    rows: rows.map(({ line, fields }) => ({
      line: line - (fields.join('').match(/\n/g)?.length ?? 0), // the reader counts to the last line
      cells: fields.map((cell) => cell.trim()),
    })),
    problems: error === null ? [] : [fileProblem(expected, { found })],
  };
}

/** A header of one field that holds another separator: no column in it is what it seems. */
function otherSeparator({ line, cells }: TableRow, delimiter: ',' | '\t'): FileProblem[] {
  const other = ([',', '\t', ';'] as const).find((mark) => cells.length === 1 && cells[0]!.includes(mark));
  if (other === undefined) return [];
  const found = `fields separated by ${NAMES[other]}`;
  const expected = `${NAMES[delimiter]} in a ${delimiter === ',' ? '.csv' : '.tsv'} file`;
  return [fileProblem(expected, { line, found })];
}

function headerProblems(header: readonly string[], line: number): FileProblem[] {
  return header.flatMap((name, i): FileProblem[] => {
    if (name === '') {
      const expected = 'a name for every column (pandas writes a nameless one without index=False)';
      return [fileProblem(expected, { line, found: `field ${i + 1} has no name` })];
    }
    const again = header.indexOf(name) < i;
    const found = 'a second column of this name';
    return again ? [{ line, column: name, value: name, found, expected: 'different names' }] : [];
  });
}
