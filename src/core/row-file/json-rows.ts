import JSONParser from '@streamparser/json/jsonparser.js';
import { KrisisError } from '../errors.ts';

/** Where rows go that are found in JSON. */
export interface JsonRows {
  /** Rows so far. */
  readonly n: number;
  line(text: string, number: number): void;
  value(value: unknown, where: string): void;
  error(where: string, message: string): KrisisError;
}

/** In characters: a stream without line breaks would fill the memory. */
export const MAX_LINE = 2 ** 26;
export const LINE_TOO_LONG = `a line of more than ${MAX_LINE / 2 ** 20} MiB; expected one row per line`;

/** Reads text piece by piece. */
export interface TextReader {
  write(text: string): unknown;
  end(): void;
}

/** Reads JSON when the text begins with `[` or its first line is not a row by itself, otherwise one row per line. Null: not enough text to decide. */
export function chooseReader(head: string, rows: JsonRows, complete: boolean): TextReader | null {
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

/** Reads one row per line. */
export function lineReader(rows: JsonRows): TextReader {
  let rest = '';
  let number = 0;
  const read = (line: string) => {
    number += 1;
    rows.line(line, number);
  };
  return {
    write: (text) => {
      rest += text;
      // A long line comes in many pieces: looking through all of it each time would take too long.
      if (text.includes('\n')) {
        const lines = rest.split('\n');
        rest = lines.pop()!;
        for (const line of lines) read(line);
      }
      if (rest.length > MAX_LINE) throw rows.error(`:${number + 1}`, LINE_TOO_LONG);
    },
    end: () => {
      if (rest !== '') read(rest);
    },
  };
}

/** What the parser of long files found, without its own names: `Unexpected RIGHT_BRACKET ("]") in state VALUE` is an unexpected "]". */
export function jsonProblem({ message }: Error): string {
  return message.replace(/^Unexpected [A-Z_]+ \((.+)\) in state [A-Z_]+$/, 'unexpected $1');
}

function documentReader(rows: JsonRows, path: string): TextReader {
  const fail = (error: Error): never => {
    if (error instanceof KrisisError) throw error;
    throw rows.error(` after row ${rows.n}`, `not JSON: ${jsonProblem(error)}`);
  };
  const parser = new JSONParser({ paths: [path], keepStack: false });
  parser.onValue = ({ value }) => rows.value(value, ` row ${rows.n + 1}`);
  parser.onError = fail;
  return {
    write: (text) => parser.write(text),
    end: () => {
      if (!parser.isEnded) fail(new Error('the file ends in the middle of the JSON'));
    },
  };
}
