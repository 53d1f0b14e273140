import { CsvError, type Options, parse } from 'csv-parse/sync';

/** One row of a delimited file, as it is in the file. */
export interface RawRow {
  /** Where it ends in the file, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** Cuts delimited text into fields. `error` is the parser's message for text that cannot be cut: a quotation mark that is never closed. */
export function cutFields(
  text: string,
  dialect: Options,
): { readonly rows: readonly RawRow[]; readonly error: string | null } {
  try {
    const records = parse(text, {
      record_delimiter: ['\r\n', '\n', '\r'], // a file may mix them
      ...dialect,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return { rows: records.map(({ record, info }) => ({ line: info.lines, fields: record })), error: null };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { rows: [], error: error.message };
  }
}
