const LINE = 80;
const LIBRARY = 'HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!';
const NAMESTR = 'HEADER RECORD*******NAMESTR HEADER RECORD!!!!!!!';
const OBSERVATIONS = 'HEADER RECORD*******OBS     HEADER RECORD!!!!!!!';
/** Bytes of the description of a variable. */
const NAMESTR_BYTES = 140;
const SPACE = 0x20;

/** Whether the bytes begin as a SAS transport file (version 5) does. */
export function isXpt(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, LIBRARY.length) === LIBRARY;
}

/**
 * Reads the first table of a SAS transport file, version 5, the form in which NHANES is published: numbers are IBM floating point, and a missing one is a period, an underscore or a letter
 * in its first byte. Columns of text are left out. Null where the bytes are not such a file, or end too early.
 */
export function readXpt(bytes: Buffer) {
  const names = isXpt(bytes) ? lineThatBegins(bytes, NAMESTR, 0) : -1;
  const count = names < 0 ? Number.NaN : Number(bytes.toString('latin1', names + 54, names + 58));
  if (!(Number.isInteger(count) && count > 0)) return null;
  const first = names + LINE;
  const observations = lineThatBegins(bytes, OBSERVATIONS, first + count * NAMESTR_BYTES);
  if (observations < 0) return null;
  const variables = Array.from({ length: count }, (_, i) => variableAt(bytes, first + i * NAMESTR_BYTES));
  const rowBytes = variables.reduce((most, { position, length }) => Math.max(most, position + length), 0);
  const numeric = variables.filter(({ isNumber, length }) => isNumber && length >= 2 && length <= 8);
  const rows: (number | null)[][] = [];
  for (let at = observations + LINE; at + rowBytes <= bytes.length && rowBytes > 0; at += rowBytes) {
    // The last line is filled up with spaces, which is what no row of numbers consists of.
    if (bytes.subarray(at, at + rowBytes).every((byte) => byte === SPACE)) break;
    rows.push(numeric.map(({ position, length }) => ibmNumber(bytes, at + position, length)));
  }
  return { columns: numeric.map(({ name }) => name), rows };
}

/** Where the line begins that starts with this text, from a position on; -1 where there is none. Lines have 80 bytes. */
function lineThatBegins(bytes: Buffer, text: string, from: number): number {
  for (let at = Math.ceil(from / LINE) * LINE; at + LINE <= bytes.length; at += LINE)
    if (bytes.toString('latin1', at, at + text.length) === text) return at;
  return -1;
}

function variableAt(bytes: Buffer, at: number) {
  return {
    isNumber: bytes.readInt16BE(at) === 1,
    length: bytes.readInt16BE(at + 4),
    name: bytes
      .toString('latin1', at + 8, at + 16)
      .trim()
      .toUpperCase(),
    position: bytes.readInt32BE(at + 84),
  };
}

/** An IBM floating-point number: sign, exponent to the base 16 in excess of 64, and a fraction of up to 56 bits. */
function ibmNumber(bytes: Buffer, at: number, length: number): number | null {
  const head = bytes[at]!;
  let fraction = 0;
  for (let i = length - 1; i >= 1; i--) fraction = (fraction + bytes[at + i]!) / 256;
  if (fraction === 0) return head === 0 || head === 0x80 ? 0 : null;
  const value = fraction * 16 ** ((head & 0x7f) - 64);
  return head >= 0x80 ? -value : value;
}
