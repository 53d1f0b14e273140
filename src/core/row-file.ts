import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import JSONParser from '@streamparser/json/jsonparser.js';
import { type EvaluationResult, parseRow } from './evaluation-result.ts';
import { KrisisError } from './krisis-error.ts';

/** Bytes of a file, or of standard input. */
type Chunks = AsyncIterable<Buffer | string>;

/**
 * Reads rows from JSONL, or from JSON: an array of rows, or an object with them under `evaluation_results` or `rows`. `-` is standard input. Rows are streamed:
 * each one is passed to `onRow` and not kept. The first problem throws an error that says where it is.
 */
export async function readRows(path: string, onRow: (row: EvaluationResult) => void): Promise<void> {
  const name = path === '-' ? 'standard input' : path;
  const rows = rowReader(name, onRow);
  const chunks = path === '-' ? (process.stdin as Chunks) : await openFile(path);
  const format = /\.(jsonl|ndjson)$/i.test(path) ? 'jsonl' : 'unknown';
  await readChunks(chunks, format, rows);
  if (rows.n === 0)
    throw rowFileError(`${name}: no rows; expected one JSON object per line, or a JSON array of them`);
}

async function openFile(path: string): Promise<Chunks> {
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    const what = cause.code === 'ENOENT' ? 'no such file' : `cannot be read (${cause.code})`;
    throw rowFileError(`${path}: ${what}; expected a JSONL or JSON file of rows, or - for standard input`, {
      cause,
    });
  });
  if (found.isDirectory()) throw rowFileError(`${path}: is a folder; expected a JSONL or JSON file of rows`);
  return createReadStream(path, { highWaterMark: 1 << 20 });
}

type RowReader = ReturnType<typeof rowReader>;

/** Checks rows; an error names the line or row. */
function rowReader(name: string, onRow: (row: EvaluationResult) => void) {
  const rows = {
    n: 0,
    line(text: string, number: number): void {
      if (text.trim() === '') return;
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch (cause) {
        throw rows.error(`:${number}`, notJson(text, cause as Error));
      }
      rows.value(value, `:${number}`);
    },
    value(value: unknown, where: string): void {
      const parsed = parseRow(value);
      if ('problem' in parsed) {
        const { field, value: found, expected } = parsed.problem;
        const is = found === undefined ? 'is missing' : `is ${show(found)}`;
        throw rows.error(where, `${field} ${is}; expected ${expected}`, found);
      }
      rows.n += 1;
      onRow(parsed.row);
    },
    error: (where: string, message: string, value?: unknown): KrisisError =>
      rowFileError(`${name}${where}: ${message}`, { value }),
  };
  return rows;
}

async function readChunks(chunks: Chunks, format: 'jsonl' | 'unknown', rows: RowReader): Promise<void> {
  const decoder = new TextDecoder();
  let reader = format === 'jsonl' ? lineReader(rows) : null;
  let unread = '';
  for await (const chunk of chunks) {
    unread += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    reader ??= chooseReader(unread, rows, false);
    if (reader === null) continue;
    reader.write(unread);
    unread = '';
  }
  unread += decoder.decode();
  reader ??= chooseReader(unread, rows, true)!;
  if (unread !== '') reader.write(unread);
  reader.end();
}

/** Reads JSON when the text begins with `[` or its first line is not a row by itself, otherwise one row per line. Null: not enough text to decide. */
function chooseReader(head: string, rows: RowReader, complete: boolean): Reader | null {
  const text = head.trimStart();
  if (text.startsWith('[')) return documentReader(rows, '$.*');
  const end = text.indexOf('\n');
  if (end < 0 && !complete) return null;
  const firstLine = end < 0 ? text : text.slice(0, end);
  let first: unknown;
  try {
    first = JSON.parse(firstLine);
  } catch {
    // Pretty-printed JSON opens with a line that is not JSON by itself; so does a broken JSONL file, for which the line reader has the better message.
    const opensDocument = /^\{\s*("|$)/.test(firstLine) && !/"(prediction|ground_truth)"\s*:/.test(firstLine);
    return opensDocument ? documentReader(rows, rowsPath(text)) : lineReader(rows);
  }
  const holdsRows =
    typeof first === 'object' && first !== null && ('evaluation_results' in first || 'rows' in first);
  return holdsRows ? documentReader(rows, rowsPath(text)) : lineReader(rows);
}

/** Where in a JSON document that begins like this the rows are. */
function rowsPath(head: string): string {
  const underRows = /"rows"\s*:\s*\[/.test(head) && !/"evaluation_results"\s*:\s*\[/.test(head);
  return underRows ? '$.rows.*' : '$.evaluation_results.*';
}

interface Reader {
  write(text: string): unknown;
  end(): void;
}

function lineReader(rows: RowReader): Reader {
  let rest = '';
  let number = 0;
  const read = (line: string) => {
    number += 1;
    // A byte order mark is not part of the first row.
    rows.line(number === 1 ? line.replace(/^\uFEFF/, '') : line, number);
  };
  return {
    write: (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      for (const line of lines) read(line);
    },
    end: () => {
      if (rest !== '') read(rest);
    },
  };
}

function documentReader(rows: RowReader, path: string): Reader {
  const fail = (error: Error): never => {
    if (error instanceof KrisisError) throw error;
    throw rows.error(` after row ${rows.n}`, `not JSON: ${error.message}`);
  };
  const parser = new JSONParser({ paths: [path], keepStack: false });
  parser.onValue = ({ value }) => rows.value(value, ` row ${rows.n + 1}`);
  parser.onError = fail;
  return {
    write: (text) => parser.write(text.replace(/^\uFEFF/, '')),
    end: () => {
      if (!parser.isEnded) fail(new Error('the file ends in the middle of the JSON'));
    },
  };
}

function rowFileError(message: string, details: { value?: unknown; cause?: unknown } = {}): KrisisError {
  return new KrisisError(message, { ...details, code: 'ERR_ROW_FILE' });
}

function notJson(text: string, cause: Error): string {
  if (/:\s*(NaN|-?Infinity)\b/.test(text))
    return 'NaN and Infinity are not JSON; write null where there is no number';
  return `not JSON: ${cause.message}; expected one object per line`;
}

/** A value as the file has it, shortened where it is long. */
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
