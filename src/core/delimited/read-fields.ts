import { KrisisError } from '../krisis-error.ts';
import { detectDelimiter, HEAD_CHARACTERS } from './delimiter.ts';
import { type DelimitedRow, type Delimiter, rowCutter, UnclosedQuote } from './rows.ts';

/** One row of a delimited file: its fields, trimmed. */
export interface FieldsRow {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** A delimited file that is being read. */
export interface FieldsReader {
  /** As stated, or as its first rows show it. */
  readonly delimiter: Delimiter;
  /** All rows, the header first. Lines without any text are left out. */
  readonly rows: AsyncIterable<FieldsRow>;
}

/**
 * Cuts delimited text (RFC 4180: fields may be in quotation marks, and then hold delimiters and line breaks) into fields while it is read; nothing is kept.
 *
 * @throws KrisisError with the code `ERR_FILE_AMBIGUOUS` where two delimiters fit, and `ERR_DATA_FILE`, while rows are read, for a quotation mark that is never closed.
 */
export async function readFields(
  texts: AsyncIterable<string>,
  name: string,
  stated?: Delimiter,
): Promise<FieldsReader> {
  const iterator = texts[Symbol.asyncIterator]();
  let head = '';
  let isEnd = false;
  while (!isEnd && head.length < HEAD_CHARACTERS) {
    const next = await iterator.next();
    if (next.done) isEnd = true;
    else head += next.value;
  }
  const delimiter = stated ?? detectDelimiter(head, name);
  async function* whole() {
    if (head !== '') yield head;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
  return { delimiter, rows: cut(whole(), delimiter, name) };
}

async function* cut(
  texts: AsyncIterable<string>,
  delimiter: Delimiter,
  name: string,
): AsyncGenerator<FieldsRow> {
  const cutter = rowCutter(delimiter);
  const unclosed = (cause: { readonly message: string }) =>
    new KrisisError(`${name}: ${cause.message}`, { code: 'ERR_DATA_FILE', value: name, cause });
  try {
    for await (const text of texts) yield* filled(cutter.write(text));
  } catch (cause) {
    throw cause instanceof UnclosedQuote ? unclosed(cause) : cause;
  }
  const { rows, openedOn } = cutter.end();
  yield* filled(rows);
  if (openedOn !== null) throw unclosed(new UnclosedQuote(openedOn));
}

function* filled(rows: readonly DelimitedRow[]): Generator<FieldsRow> {
  for (const { line, cells } of rows) if (cells.some((cell) => cell !== '')) yield { line, fields: cells };
}
