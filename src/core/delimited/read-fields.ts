import { Readable } from 'node:stream';
import { KrisisError } from '../krisis-error.ts';
import { type Delimiter, delimiterOf } from './delimiter.ts';

/** One row of a delimited file: its fields, trimmed. */
export interface FieldsRow {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** A delimited file that is being read. */
export interface FieldsReader {
  /** As stated, or as its first line shows it. */
  readonly delimiter: Delimiter;
  /** All rows, the header first. Lines without any text are left out. */
  readonly rows: AsyncIterable<FieldsRow>;
}

/**
 * Cuts delimited text (RFC 4180: fields may be in quotation marks, and then hold delimiters and line breaks) into fields while it is read; nothing is kept.
 *
 * @throws KrisisError with the code `ERR_DATA_FILE`, while rows are read, for a quotation mark that is never closed.
 */
export async function readFields(
  texts: AsyncIterable<string>,
  name: string,
  stated?: Delimiter,
): Promise<FieldsReader> {
  const iterator = texts[Symbol.asyncIterator]();
  let head = '';
  let isEnd = false;
  while (!isEnd && !/\S[^\n\r]*[\n\r]/.test(head)) {
    const next = await iterator.next();
    if (next.done) isEnd = true;
    else head += next.value;
  }
  const delimiter = stated ?? delimiterOf(head.trimStart().split(/[\n\r]/, 1)[0]!);
  async function* whole() {
    if (head !== '') yield head;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
  return { delimiter, rows: cut(whole(), delimiter, name) };
}

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

async function* cut(
  texts: AsyncIterable<string>,
  delimiter: Delimiter,
  name: string,
): AsyncGenerator<FieldsRow> {
  const { CsvError, parse } = await import('csv-parse');
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  const source = Readable.from(texts);
  source.on('error', (error) => parser.destroy(error));
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<Parsed>) {
      if (record.every((field) => field.trim() === '')) continue;
      const breaks = record.reduce((sum, field) => sum + (field.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
      // The parser counts to the last line of a row.
      yield { line: info.lines - breaks, fields: record.map((field) => field.trim()) };
    }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw new KrisisError(
      `${name}: a quotation mark is never closed, or is in the wrong place (the reader says: ${cause.message})`,
      { code: 'ERR_DATA_FILE', value: name, cause },
    );
  }
}
