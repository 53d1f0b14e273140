import { CsvError, type Options, parse } from 'csv-parse/sync';
import { isArff, splitArff } from './arff.ts';
import type { UciProblem } from './problem.ts';

/** One row of a file, as it stands there. */
export interface RawRow {
  readonly line: number;
  readonly fields: readonly string[];
}

/** A file cut into fields, nothing else done to them. */
export interface RawTable {
  readonly format: 'csv' | 'arff';
  readonly header: RawRow | null;
  readonly rows: readonly RawRow[];
  readonly problems: readonly UciProblem[];
}

/**
 * Cuts the text of a CSV or ARFF file into fields. Which of the two it is follows from the text, not from a file name.
 *
 * @example
 * ```ts
 * readRawTable('id,age\n1,48\n').rows // => [{ line: 2, fields: ['1', '48'] }]
 * readRawTable('@relation r\n@attribute age numeric\n@data\n48\n').header.fields // => ['age']
 * ```
 */
export function readRawTable(text: string): RawTable {
  if (isArff(text)) {
    const { attributes, attributesLine, data, dataLine, problems } = splitArff(text);
    const header = attributes.length === 0 ? null : { line: attributesLine, fields: attributes };
    // ARFF quotes with single quotes, and a line that begins with a percent sign is a comment.
    const cut = cutFields(data, dataLine, { quote: "'", comment: '%', comment_no_infix: true });
    return { format: 'arff', header, rows: cut.rows, problems: [...problems, ...cut.problems] };
  }
  const { rows, problems } = cutFields(text, 1, {});
  return { format: 'csv', header: rows[0] ?? null, rows: rows.slice(1), problems };
}

function cutFields(text: string, firstLine: number, dialect: Options): Pick<RawTable, 'rows' | 'problems'> {
  try {
    const records = parse(text, {
      ...dialect,
      info: true,
      record_delimiter: ['\r\n', '\n', '\r'], // a file may mix them
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    const rows = records.map(({ record, info }) => ({ line: firstLine - 1 + info.lines, fields: record }));
    return { rows: rows.filter(({ fields }) => fields.length > 1 || fields[0]!.trim() !== ''), problems: [] };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const expected = `every quotation mark to be closed (the reader says: ${error.message})`;
    return { rows: [], problems: [{ line: null, column: null, value: null, expected }] };
  }
}
