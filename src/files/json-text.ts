import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import JSONParser from '@streamparser/json/jsonparser.js';
import { decodeText } from '../core/delimited/decode-text.ts';
import { KrisisError } from '../core/errors.ts';
import { jsonProblem } from '../core/row-file/json-rows.ts';

/** NaN and infinities, as Python writes them. Quoted text stays unchanged. */
const BARE = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/**
 * Parses JSON in which Python wrote `NaN`: a number that is none is no value.
 *
 * @throws KrisisError with the code `ERR_ROW_FILE`, which names the place.
 */
export function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (/\b(NaN|Infinity)\b/.test(text))
      try {
        return JSON.parse(text.replace(BARE, (found) => (found.startsWith('"') ? found : 'null')));
      } catch {
        // The first message names the place in the text as it is.
      }
    throw new KrisisError(`${place}: not JSON: ${(cause as Error).message}`, {
      code: 'ERR_ROW_FILE',
      value: place,
      cause,
    });
  }
}

/** UTF-8 as text; other bytes are refused. */
export function utf8Text(bytes: Buffer, place: string): string {
  if (isUtf8(bytes)) return bytes.toString('utf8').replace(/^\ufeff/, '');
  throw new KrisisError(`${place}: not UTF-8 text`, { code: 'ERR_ROW_FILE', value: place });
}

/**
 * Reads a JSON file of any length: `onValue` gets each value at one of the paths (`$.samples.*`), and is the only one to keep it. `key` is that of the value, `path` the one that it was
 * found by.
 *
 * @throws KrisisError with the code `ERR_ROW_FILE` where the file is not JSON, or ends before its JSON does.
 */
export async function streamJson(
  path: string,
  paths: readonly string[],
  onValue: (value: unknown, place: { readonly path: string; readonly key: string | number }) => void,
): Promise<void> {
  const parser = new JSONParser({ paths: [...paths], keepStack: false });
  const fail = (problem: string): never => {
    throw new KrisisError(`${path}: not JSON: ${problem}`, { code: 'ERR_ROW_FILE', value: path });
  };
  const byDepth = paths.map((known) => ({ known, keys: known.split('.').slice(1) }));
  parser.onValue = ({ value, key, stack }) => {
    const keys = [...stack.slice(1).map((element) => String(element.key)), String(key)];
    const found = byDepth.find(
      ({ keys: own }) =>
        own.length === keys.length && own.every((name, i) => name === '*' || name === keys[i]),
    );
    if (found !== undefined) onValue(value, { path: found.known, key: key ?? '' });
  };
  parser.onError = (error) => {
    if (error instanceof KrisisError) throw error;
    fail(jsonProblem(error));
  };
  const bare = bareNumbers();
  for await (const text of readUtf8(path)) if (!parser.isEnded) parser.write(bare(text));
  if (!parser.isEnded) fail('the file ends in the middle of the JSON');
}

/** The text of a file in UTF-8, piece by piece; other bytes are refused. */
function readUtf8(path: string): AsyncIterable<string> {
  return decodeText(createReadStream(path, { highWaterMark: 1 << 18 }), path, 'utf-8');
}

/** Replaces NaN and infinities piece by piece. A word or a quoted text may continue in the next piece. */
function bareNumbers(): (text: string) => string {
  let isQuoted = false;
  let rest = '';
  return (piece) => {
    const text = rest + piece;
    // What could be the beginning of a word, or an escape, waits for the next piece.
    const [held = ''] = /(?:\\+|-?[A-Za-z]{1,8})$/.exec(text) ?? [];
    rest = held;
    const ready = held === '' ? text : text.slice(0, -held.length);
    let out = '';
    let from = 0;
    for (const match of ready.matchAll(/\\.|"|-?\b(?:NaN|Infinity)\b/gs)) {
      if (match[0] === '"') isQuoted = !isQuoted;
      else if (!isQuoted && !match[0].startsWith('\\')) {
        out += `${ready.slice(from, match.index)}null`;
        from = match.index + match[0].length;
      }
    }
    return from === 0 ? ready : out + ready.slice(from);
  };
}
