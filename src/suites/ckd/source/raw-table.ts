import type { Options } from 'csv-parse/sync';
import { cutFields, type RawRow } from '../../cut-fields.ts';
import { type FileProblem, fileProblem } from '../../file-problem.ts';
import { isArff, splitArff } from './arff.ts';

/** A file cut into fields, nothing else done to them. */
export interface RawTable {
  readonly format: 'csv' | 'arff';
  readonly header: RawRow | null;
  readonly rows: readonly RawRow[];
  readonly problems: readonly FileProblem[];
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
    const read = cut(data, dataLine, { quote: "'", comment: '%', comment_no_infix: true });
    return { format: 'arff', header, rows: read.rows, problems: [...problems, ...read.problems] };
  }
  const { rows, problems } = cut(text, 1, {});
  return { format: 'csv', header: rows[0] ?? null, rows: rows.slice(1), problems };
}

function cut(text: string, firstLine: number, dialect: Options): Pick<RawTable, 'rows' | 'problems'> {
  const { rows, error } = cutFields(text, dialect);
  const expected = `every quotation mark to be closed (the reader says: ${error})`;
  return {
    rows: rows
      .map(({ line, fields }) => ({ line: firstLine - 1 + line, fields }))
      .filter(({ fields }) => fields.length > 1 || fields[0]!.trim() !== ''),
    problems: error === null ? [] : [fileProblem(expected)],
  };
}
