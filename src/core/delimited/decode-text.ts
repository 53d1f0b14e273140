import { closeSync, openSync, readSync } from 'node:fs';
import { TextDecoder } from 'node:util';
import { KrisisError } from '../errors.ts';
import { checkRegularFile } from '../regular-file.ts';

/** The encodings that text files are read in. */
export const FILE_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type FileEncoding = (typeof FILE_ENCODINGS)[number];

/** Bytes of a file, or of standard input. A chunk need not last longer than until the next one is taken. */
export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array | string>;

/** Enough to see a byte order mark, or the zero bytes of UTF-16. */
const HEAD = 4;

/**
 * The encoding of a text that begins with these bytes: its byte order mark decides, else the zero bytes that UTF-16 puts between ASCII characters, else it is UTF-8.
 *
 * @example
 * ```ts
 * detectEncoding(new Uint8Array([0xff, 0xfe, 0x61, 0x00])) // => 'utf-16le'
 * detectEncoding(new Uint8Array([0x61, 0x2c, 0x62, 0x0a])) // => 'utf-8'
 * ```
 */
export function detectEncoding(head: Uint8Array): FileEncoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head.length >= HEAD && head[0] !== 0 && head[1] === 0 && head[2] !== 0 && head[3] === 0)
    return 'utf-16le';
  if (head.length >= HEAD && head[0] === 0 && head[1] !== 0 && head[2] === 0 && head[3] !== 0)
    return 'utf-16be';
  return 'utf-8';
}

/**
 * Decodes a file as it is read. Default encoding: detected. Where a byte is not UTF-8 and everything before it was ASCII, the file is read as Windows-1252, which includes what Latin-1 has of
 * printable characters. `name` is what an error calls the file.
 *
 * @throws KrisisError when text beyond ASCII is UTF-8 in one place and is not in another.
 *
 * @example
 * ```ts
 * const decoder = fileDecoder('own.csv');
 * decoder.write(Buffer.from('gr\u00f6\u00dfe\r\n', 'latin1')) // => 'größe\n'
 * decoder.encoding // => 'windows-1252'
 * ```
 */
export function fileDecoder(name: string, stated?: FileEncoding) {
  let decoder: TextDecoder | null = null;
  let isAscii = true;
  let held: Uint8Array = new Uint8Array();
  const lines = unixLines();
  const decode = (bytes: Uint8Array, isLast: boolean): string => {
    const encoding = stated ?? detectEncoding(bytes);
    decoder ??= new TextDecoder(encoding, { fatal: encoding === 'utf-8' });
    if (decoder.encoding !== 'utf-8') return decoder.decode(bytes, { stream: !isLast });
    // An incomplete character waits for the next chunk here, not in the decoder: the encoding can still turn out to be another.
    const end = isLast ? bytes.length : beforeLastCharacter(bytes);
    held = Uint8Array.from(bytes.subarray(end));
    try {
      const text = decoder.decode(bytes.subarray(0, end), { stream: true });
      isAscii &&= !/[\u0080-\uffff]/.test(text);
      return text;
    } catch (cause) {
      if (stated !== undefined || !isAscii || isUtf8Before(bytes))
        throw new KrisisError(
          `${name}: is not ${stated === undefined ? 'in one encoding: some of its text is UTF-8, and some is not; save it again as UTF-8, or state its encoding' : 'UTF-8 text; save it again as UTF-8'}`,
          { code: 'ERR_FILE_UNREADABLE', value: name, cause },
        );
      held = new Uint8Array();
      decoder = new TextDecoder('windows-1252');
      return decoder.decode(bytes, { stream: !isLast });
    }
  };
  return {
    write: (chunk: Uint8Array): string => {
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      held = new Uint8Array();
      if (decoder === null && bytes.length < HEAD) {
        held = Uint8Array.from(bytes);
        return '';
      }
      return lines(decode(bytes, false), false);
    },
    end: () => lines(decode(held, true), true),
    /** What it reads the file as; after `end`, what the file is. */
    get encoding() {
      return (decoder?.encoding ?? stated ?? 'utf-8') as FileEncoding;
    },
  };
}

/** Decodes a file as it is read, from a stream: see {@link fileDecoder}. */
export async function* decodeText(
  chunks: Chunks,
  name: string,
  stated?: FileEncoding,
): AsyncGenerator<string> {
  const decoder = fileDecoder(name, stated);
  for await (const chunk of chunks) {
    const text = decoder.write(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    if (text !== '') yield text;
  }
  const rest = decoder.end();
  if (rest !== '') yield rest;
}

/** Ends every line with `\n`, also where a piece of text ends within a line break. */
function unixLines(): (text: string, isLast: boolean) => string {
  let held = '';
  return (piece, isLast) => {
    const text = held + piece;
    held = !isLast && text.endsWith('\r') ? '\r' : '';
    const whole = held === '' ? text : text.slice(0, -1);
    return whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole;
  };
}

/** Where the last character begins, if it is longer than a byte: it may be cut off. */
function beforeLastCharacter(bytes: Uint8Array): number {
  for (let i = bytes.length - 1; i >= Math.max(0, bytes.length - 4); i--) {
    if (bytes[i]! < 0x80) return bytes.length;
    if (bytes[i]! >= 0xc0) return i;
  }
  return bytes.length;
}

/** Whether UTF-8 characters beyond ASCII come before the first byte that is not UTF-8. */
function isUtf8Before(bytes: Uint8Array): boolean {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const lead = bytes[first]!;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  const rest = bytes.subarray(first + 1, first + length);
  return length > 0 && rest.length === length - 1 && rest.every((byte) => byte >= 0x80 && byte < 0xc0);
}

/** Small enough that the rows of a chunk are gone before the memory for new objects grows. */
const CHUNK_BYTES = 1 << 17;

/** The bytes of a file, a chunk at a time. A chunk is valid until the next one is taken. */
export function* fileChunks(path: string): Generator<Uint8Array> {
  checkRegularFile(path);
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let n = readSync(file, buffer); n > 0; n = readSync(file, buffer)) yield buffer.subarray(0, n);
  } finally {
    closeSync(file);
  }
}
